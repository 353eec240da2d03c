/*
 * pupc.h: how a program tells a performance tool of its own events, as version 1.5 of the GASP interface has it.
 *
 * __UPC_PUPC__ says that the interface is there.  There is no such tool for this system, so these are macros that do
 * nothing; arguments after the tag are not evaluated.
 */
#ifndef PUPC_H
#define PUPC_H

/* Turns measuring on or off; the former state, which always is off */
#define pupc_control(on) ((void)(on), 0)

/* A tag for events of the program; 0 is one that nobody records. */
#define pupc_create_event(name, description) ((void)(name), (void)(description), 0u)

/* The begin, the end, or the only moment of an event, with arguments in the form that the description says */
#define pupc_event_start(tag, ...) ((void)(tag))
#define pupc_event_end(tag, ...) ((void)(tag))
#define pupc_event_atomic(tag, ...) ((void)(tag))

#endif
