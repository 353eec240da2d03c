#include "lsp/words.h"

namespace bn::lsp {

namespace {

constexpr Word kWords[] = {
    {"shared", "",
     "One object for all threads instead of one per thread. `shared [B]` distributes blocks of B elements over the "
     "threads in turn, `shared` alone single elements; `shared []` places all of them on one thread, `shared [*]` one "
     "large block on each."},
    {"strict", "",
     "Accesses are strict: all threads see them in program order, after everything that the thread did before."},
    {"relaxed", "",
     "Accesses are relaxed: the thread itself sees them in order; others may see them in any order between "
     "synchronisations. This is the default."},
    {"THREADS", "", "The number of threads of the program; a constant if it is compiled with `-T N`."},
    {"MYTHREAD", "", "The number of the executing thread, from 0 to THREADS - 1."},
    {"UPC_MAX_BLOCK_SIZE", "", "The largest possible block size."},
    {"upc_forall", "upc_forall (${1:int i = 0}; ${2:i < n}; ${3:i++}; ${4:&a[i]}) {\n\t$0\n}",
     "A loop whose iterations are divided among the threads: each runs on the thread that the fourth expression names, "
     "a thread number or the address of a shared object. With `continue`, or nothing, all threads run all iterations. "
     "Iterations must not depend on each other."},
    {"upc_barrier", "upc_barrier;",
     "Waits until all threads are here: all then see what the others did before. If it has a value, the value must be "
     "equal on all threads."},
    {"upc_notify", "upc_notify;",
     "The first half of a barrier: tells the others that this thread is here, and goes on. `upc_wait` must follow."},
    {"upc_wait", "upc_wait;", "The second half of a barrier: waits until all threads have called `upc_notify`."},
    {"upc_fence", "upc_fence;", "All accesses to shared memory before it are complete before later ones begin."},
    {"upc_localsizeof", "",
     "The size in bytes of the part of a shared type that is on one thread: the largest of all threads."},
    {"upc_blocksizeof", "", "The block size of a shared type, in elements."},
    {"upc_elemsizeof", "", "The size in bytes of an element of a shared array."},
    {"__UPC__", "", "Defined as 1 wherever UPC is compiled."},
    {"__UPC_VERSION__", "", "The version of the specification, such as 201311L."},
    {"__UPC_STATIC_THREADS__", "", "Defined if the number of threads is a constant (`-T N`)."},
    {"__UPC_DYNAMIC_THREADS__", "", "Defined if the number of threads is chosen at run time."},
};

}  // namespace

std::span<const Word> words_of_upc()
{
    return kWords;
}

const Word* word_of_upc(std::string_view text)
{
    for (const Word& word : kWords)
        if (word.text == text)
            return &word;
    return nullptr;
}

}  // namespace bn::lsp
