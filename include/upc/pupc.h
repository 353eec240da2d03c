/*
 * pupc.h: functions by which a program reports its own events to a performance tool, as in version 1.5 of the GASP
 * interface; <upc.h> includes it.
 *
 * __UPC_PUPC__ indicates that the interface exists.  There is no such tool for Banyan, so these functions do nothing.
 */
#ifndef PUPC_H
#define PUPC_H

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __UPC__
#pragma banyan offer
#endif

/* Turns measuring on or off; returns the former state, which is always off */
int pupc_control(int __on);

/* Returns a tag for events of the program.  Events with tag 0 are not recorded. */
unsigned int pupc_create_event(const char *__name, const char *__description);

/* Report the beginning, the end, or the single moment of an event; the arguments have the form given by its
 * description */
void pupc_event_start(unsigned int __tag, ...);
void pupc_event_end(unsigned int __tag, ...);
void pupc_event_atomic(unsigned int __tag, ...);

#ifdef __UPC__
#pragma banyan end
#endif
#ifdef __cplusplus
}
#endif

#endif
