/*
 * victim.c: a program that behaves or misbehaves as its first argument says; the second one names the thread concerned.
 * It is linked with the runtime as upcc would do it, so that these tests do not depend on our compiler.
 */
#include <banyan/access.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void upc_global_exit(int status);

#ifndef VICTIM_STATIC_THREADS
#define VICTIM_STATIC_THREADS 0
#endif

static struct bn_unit unit = {.abi = BN_ABI, .static_threads = VICTIM_STATIC_THREADS, .source = "victim.upc"};
#ifdef VICTIM_OTHER_THREADS
static struct bn_unit other_unit = {.abi = BN_ABI, .static_threads = VICTIM_OTHER_THREADS, .source = "other.upc"};
#endif

__attribute__((constructor)) static void register_units(void)
{
    bn_unit_register(&unit);
#ifdef VICTIM_OTHER_THREADS
    bn_unit_register(&other_unit);
#endif
}

static int me, subject, number;
static volatile sig_atomic_t signals_seen;

static void write_all(int file, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t now = write(file, data, bytes);
        if (now < 0) {
            if (errno == EINTR)
                continue;
            _exit(99);
        }
        data += now;
        bytes -= (size_t)now;
    }
}

/* ---- Deaths: only the thread concerned dies, the others wait for it ---- */

__attribute__((noinline)) static void crash(volatile int *address)
{
    *address = 1; /* CRASH LINE */
}

static void die_segv(void)
{
    crash((int *)16);
}
/* Jumps to where no code is */
static void die_jump(void)
{
    void (*volatile nowhere)(void) = (void (*)(void))(uintptr_t)0x555500001234;
    nowhere();
    number++; /* so that it is no tail call */
}
static void die_window(void)
{
    crash((int *)(bn_self.my_segment + (1ULL << 34)));
}
/* Accesses the gap between the segment and that of the next thread */
static void die_gap(void)
{
    crash((int *)(bn_self.my_segment + (63ULL << 30)));
}
static void die_abort(void)
{
    abort();
}
static void die_kill(void)
{
    kill(getpid(), SIGKILL);
}
static void die_term(void)
{
    kill(getpid(), SIGTERM);
}
static void die_ill(void)
{
    __builtin_trap();
}
static void die__exit(void)
{
    _exit(number);
}
static void die_quick_exit(void)
{
    quick_exit(number);
}
static void die_global_exit(void)
{
    upc_global_exit(number);
}

static void die_exec(void)
{
    execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
}

static int recurse(int depth)
{
    volatile char room[4096];
    room[0] = (char)depth;
    return depth < 0 ? 0 : recurse(depth + 1) + room[0];
}

static void die_stack(void)
{
    recurse(0);
}

static void die_in_line(void)
{
    for (int i = 0; i < 1000; ++i)
        printf("line %d\n", i);
    printf("no end");
    fflush(stdout);
    crash((int *)16);
}

/* ---- Lives: behaviour of jobs that go on ---- */

/* Prints lines "T<thread> <line> xxxx" by write and, in random pieces, by stdio */
static void live_lines(void)
{
    unsigned seed = (unsigned)me + 1;
    for (int line = 0; line < number; ++line) {
        char text[400];
        int length = snprintf(text, sizeof text, "T%d %d ", me, line);
        int rest = rand_r(&seed) % 300;
        memset(text + length, 'a' + me % 26, (size_t)rest);
        length += rest;
        text[length++] = '\n';
        int cut = rand_r(&seed) % length;
        if (line % 3 == 0) {
            write_all(STDOUT_FILENO, text, (size_t)length);
        } else {
            fwrite(text, 1, (size_t)cut, stdout);
            fwrite(text + cut, 1, (size_t)(length - cut), stdout);
            if (line % 3 == 1)
                fflush(stdout);
        }
    }
}

static void live_both(void)
{
    for (int line = 0; line < number; ++line) {
        fprintf(stdout, "T%d %d %s\n", me, line, "out");
        fprintf(stderr, "T%d %d %s\n", me, line, "err");
    }
}

static void live_turns(void)
{
    for (int turn = 0; turn < number * bn_threads(); ++turn) {
        if (turn % bn_threads() == me)
            printf("turn %d\n", turn);
        bn_barrier();
    }
}

/* Prints rows to which each thread adds a piece */
static void live_rows(void)
{
    for (int turn = 0; turn < number * bn_threads(); ++turn) {
        if (turn % bn_threads() == me) {
            printf("%d%c", turn, me == bn_threads() - 1 ? '\n' : ' ');
            fflush(stdout);
        }
        bn_barrier();
    }
}

/* Writes `number` MiB of bytes that depend on their position, without line structure */
static void live_binary(void)
{
    static unsigned char block[1 << 20];
    for (int i = 0; me == subject && i < number; ++i) {
        for (size_t j = 0; j < sizeof block; ++j)
            block[j] = (unsigned char)((j * 2654435761U) >> 13);
        write_all(STDOUT_FILENO, (const char *)block, sizeof block);
    }
}

static void live_huge_line(void)
{
    static char block[1 << 20];
    memset(block, 'x', sizeof block);
    for (int i = 0; me == subject && i < number; ++i)
        write_all(STDOUT_FILENO, block, sizeof block);
    if (me == subject)
        write_all(STDOUT_FILENO, "\n", 1);
}

static void live_volume(void)
{
    static char block[1 << 20];
    memset(block, 'a' + me, sizeof block);
    for (size_t i = 63; i < sizeof block; i += 64)
        block[i] = '\n';
    for (int i = 0; i < number; ++i)
        write_all(STDOUT_FILENO, block, sizeof block);
}

static void live_read(void)
{
    char line[100];
    if (me == 0) {
        printf("name? ");
        fflush(stdout);
    }
    if (fgets(line, sizeof line, stdin))
        printf("thread %d read %s", me, line);
    else
        fprintf(stderr, "thread %d read nothing\n", me);
}

static void live_children(void)
{
    for (int i = 0; i < number; ++i) {
        if (system("echo child of a thread") != 0)
            exit(1);
        pid_t child = fork();
        if (child == 0)
            exit(3);
        int status;
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 3)
            exit(1);
    }
}

/* Threads have started processes of their own when the subject learns that it must end the job. */
static void live_helpers(void)
{
    if (me != subject)
        (void)!system("setsid ./helper 301 & ./helper 300 & ./helper 300");
    else if (getchar() == '!')
        upc_global_exit(5);
}

static void live_no_end(void)
{
    if (me == subject)
        printf("no end");
}

static void live_status(void)
{
    exit(me == subject ? number : me == subject + 1 ? number + 1 : 0);
}

/* exit on one thread waits for the others */
static void live_late(void)
{
    if (me == subject)
        exit(4);
    usleep(300000);
    printf("thread %d was not hurried\n", me);
}

static void at_exit(void)
{
    printf("thread %d leaves\n", me);
}

static void live_atexit(void)
{
    atexit(at_exit);
}

static void count_signal(int signal)
{
    (void)signal;
    ++signals_seen;
}

static void handle(int signal, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(signal, &action, NULL);
}

static void sleep_until_signal(int signal)
{
    sigset_t only, before;
    sigemptyset(&only);
    sigaddset(&only, signal);
    sigprocmask(SIG_BLOCK, &only, &before);
    bn_barrier();
    if (me == 0)
        printf("ready\n");
    while (!signals_seen)
        sigsuspend(&before);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Ends after signal `number`, and prints how often it came */
static void live_signal(void)
{
    handle(number, count_signal);
    sleep_until_signal(number);
    bn_barrier();
    usleep(200000);
    printf("thread %d got it %d times\n", me, (int)signals_seen);
    if (number == SIGTERM)
        exit(3);
}

static void live_ignore(void)
{
    handle(number, SIG_IGN);
    bn_barrier();
    if (me == 0)
        printf("ready\n");
    for (;;)
        pause();
}

static void exit_42(int signal)
{
    (void)signal;
    _exit(42);
}

static void live_own_handler(void)
{
    handle(SIGSEGV, exit_42);
    crash((int *)16);
}

static void live_sleep(void)
{
    bn_barrier();
    printf("thread %d is %d\n", me, (int)getpid());
    for (;;)
        pause();
}

static void live_spin(void)
{
    bn_barrier();
    printf("thread %d is %d\n", me, (int)getpid());
    for (;;)
        bn_barrier();
}

static void live_chatter(void)
{
    bn_barrier();
    printf("thread %d is %d\n", me, (int)getpid());
    for (;;)
        printf("chatter of thread %d\n", me);
}

static void live_hello(void)
{
    printf("thread %d of %d\n", me, bn_threads());
}

static struct action {
    const char *name;
    void (*run)(void);
    int is_death;
} actions[] = {
    {"segv", die_segv, 1},
    {"jump", die_jump, 1},
    {"window", die_window, 1},
    {"gap", die_gap, 1},
    {"abort", die_abort, 1},
    {"kill", die_kill, 1},
    {"term", die_term, 1},
    {"ill", die_ill, 1},
    {"stack", die_stack, 1},
    {"in_line", die_in_line, 1},
    {"_exit", die__exit, 1},
    {"quick_exit", die_quick_exit, 1},
    {"exec", die_exec, 1},
    {"global_exit", die_global_exit, 1},
    {"own_handler", live_own_handler, 1},
    {"lines", live_lines, 0},
    {"both", live_both, 0},
    {"turns", live_turns, 0},
    {"rows", live_rows, 0},
    {"binary", live_binary, 0},
    {"huge_line", live_huge_line, 0},
    {"volume", live_volume, 0},
    {"read", live_read, 0},
    {"children", live_children, 0},
    {"helpers", live_helpers, 0},
    {"no_end", live_no_end, 0},
    {"status", live_status, 0},
    {"late", live_late, 0},
    {"atexit", live_atexit, 0},
    {"signal", live_signal, 0},
    {"ignore", live_ignore, 0},
    {"sleep", live_sleep, 0},
    {"spin", live_spin, 0},
    {"chatter", live_chatter, 0},
    {"hello", live_hello, 0},
};

int main(int argc, char **argv)
{
    me = bn_mythread();
    subject = argc > 2 ? atoi(argv[2]) : 0;
    number = argc > 3 ? atoi(argv[3]) : 0;
    if (argc < 2 || strcmp(argv[1], "args") == 0) {
        for (int i = 1; me == 0 && i < argc; ++i)
            printf("[%s]", argv[i]);
        return 0;
    }
    for (size_t i = 0; i < sizeof actions / sizeof *actions; ++i) {
        if (strcmp(argv[1], actions[i].name) != 0)
            continue;
        if (!actions[i].is_death || me == subject)
            actions[i].run();
        if (actions[i].is_death)
            bn_barrier();
        return 0;
    }
    fprintf(stderr, "victim: no action %s\n", argv[1]);
    return 98;
}
