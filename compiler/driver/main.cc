#include "driver/driver.h"

int main(int argc, char** argv)
{
    return bn::driver::run_driver(std::vector<std::string>(argv + 1, argv + argc));
}
