#include "keyboard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

bool launcher_keyboard_open(struct launcher_keyboard *keyboard)
{
    int ends[2] = {-1, -1};
    if (isatty(STDIN_FILENO) && pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *keyboard = (struct launcher_keyboard){.for_child = ends[0], .to = ends[1]};
    return true;
}

static bool is_in_foreground(void)
{
    return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* Whether the child has taken enough for PIPE_BUF bytes to be written without blocking */
static bool has_room(int pipe)
{
    struct pollfd ready = {.fd = pipe, .events = POLLOUT};
    return poll(&ready, 1, 0) == 1;
}

struct pollfd launcher_keyboard_poll(const struct launcher_keyboard *keyboard)
{
    bool is_open = keyboard->to >= 0 && is_in_foreground() && has_room(keyboard->to);
    return (struct pollfd){.fd = is_open ? STDIN_FILENO : -1, .events = POLLIN};
}

void launcher_keyboard_move(struct launcher_keyboard *keyboard)
{
    char data[PIPE_BUF];
    ssize_t bytes = read(STDIN_FILENO, data, sizeof data);
    if (bytes < 0 && errno == EINTR)
        return;
    if (bytes <= 0 || write(keyboard->to, data, (size_t)bytes) < 0)
        launcher_keyboard_close(keyboard);
}

void launcher_keyboard_close(struct launcher_keyboard *keyboard)
{
    if (keyboard->to >= 0)
        close(keyboard->to);
    keyboard->to = -1;
}
