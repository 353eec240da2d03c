#include <sstream>
#include <string>

extern "C" int words(const char *text)
{
    std::istringstream stream(text);
    int count = 0;
    for (std::string word; stream >> word;)
        ++count;
    return count;
}
