#include "outlet.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

void launcher_outlet_move(struct launcher_outlet *outlet)
{
    size_t bytes = launcher_outlet_bytes(outlet);
    ssize_t written = write(outlet->fd, outlet->data + outlet->begin, bytes < PIPE_BUF ? bytes : PIPE_BUF);
    if (written < 0 && errno != EINTR && errno != EAGAIN) {
        outlet->error = errno;
        written = (ssize_t)bytes;
    }
    outlet->begin += written > 0 ? (size_t)written : 0;
    if (outlet->begin == outlet->end)
        outlet->begin = outlet->end = 0;
}

void launcher_outlet_flush(struct launcher_outlet *outlet)
{
    while (launcher_outlet_bytes(outlet) > 0) {
        poll(&(struct pollfd){.fd = outlet->fd, .events = POLLOUT}, 1, -1); /* the file may be non-blocking */
        launcher_outlet_move(outlet);
    }
}

void launcher_outlet_put(struct launcher_outlet *outlet, const char *text, size_t bytes)
{
    while (bytes > 0 && outlet->error == 0) {
        size_t room = sizeof outlet->data - outlet->end;
        size_t now = bytes < room ? bytes : room;
        memcpy(outlet->data + outlet->end, text, now);
        outlet->end += now;
        text += now;
        bytes -= now;
        if (bytes > 0)
            launcher_outlet_flush(outlet);
    }
}
