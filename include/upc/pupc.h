/*
 * pupc.h: how a program reports events of its own to a performance tool, as in version 1.5 of the GASP interface.
 *
 * __UPC_PUPC__ says that the interface exists.  There is no such tool for this system, so these macros do nothing;
 * arguments after the tag are not evaluated.
 */
#ifndef PUPC_H
#define PUPC_H

/* Turns measuring on or off; returns the former state, which is always off */
#define pupc_control(on) ((void)(on), 0)

/* Returns a tag for events of the program; nobody records events with tag 0. */
#define pupc_create_event(name, description) ((void)(name), (void)(description), 0u)

/* The beginning, the end, or the only moment of an event; the arguments have the form that its description gives */
#define pupc_event_start(tag, ...) ((void)(tag))
#define pupc_event_end(tag, ...) ((void)(tag))
#define pupc_event_atomic(tag, ...) ((void)(tag))

#endif
