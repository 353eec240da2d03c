/*
 * keyboard.h: passes on what is typed at a terminal to a child in a process group of its own, which must not read the
 * terminal itself: the system stops processes that read it from the background.
 */
#ifndef BN_LAUNCHER_KEYBOARD_H
#define BN_LAUNCHER_KEYBOARD_H

#include <poll.h>
#include <stdbool.h>

struct launcher_keyboard {
    int for_child; /* what the child gets as standard input; -1: standard input is no terminal, so the child keeps it */
    int to;        /* the other end; -1: there is none, or no more input can be passed on */
};

/* False, with errno, if there is no pipe to be had. */
bool launcher_keyboard_open(struct launcher_keyboard *keyboard);

/* What to wait for: input from the terminal, while this process may read it. */
struct pollfd launcher_keyboard_poll(const struct launcher_keyboard *keyboard);

/* Passes on what has been typed, when poll reports it. */
void launcher_keyboard_move(struct launcher_keyboard *keyboard);

/* Ends the child's input. */
void launcher_keyboard_close(struct launcher_keyboard *keyboard);

#endif
