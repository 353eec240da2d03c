#include <bupc_extern.h>
#include <bupc_tentative.h>
#include <pupc.h>
#include <upc_tick.h>
#include <upc_types.h>

#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" int gather_squares(int *squares);

namespace {

struct Greeting {
    std::string text = "constructed before the threads";
};
Greeting greeting;

int check_all()
{
    upc_tick_t start = upc_ticks_now();
    bupc_extern_barrier(1);
    if (upc_ticks_to_ns(upc_ticks_now() - start) > 3600ull * 1000000000)
        throw std::logic_error("an hour");
    int me = bupc_extern_mythread(), threads = bupc_extern_threads();
    std::vector<int> squares(static_cast<size_t>(threads));
    if (gather_squares(squares.data()) != threads)
        throw std::runtime_error("gather_squares");
    for (int i = 0; i < threads; i++)
        if (squares[static_cast<size_t>(i)] != i * i)
            throw std::runtime_error("square of " + std::to_string(i));
    if (greeting.text != "constructed before the threads" || bupc_tentative_mythread() != me)
        throw std::logic_error("state");
    return me;
}

int parallel_main(int, char **)
{
    try {
        check_all();
        throw std::string("ok");
    } catch (const std::string& word) {
        std::cout << word << std::endl;
        return 0;
    } catch (const std::exception& exception) {
        std::cout << exception.what() << std::endl;
        return 1;
    }
}

}  // namespace

int main(int argc, char **argv)
{
    bupc_init_reentrant(&argc, &argv, parallel_main);
}
