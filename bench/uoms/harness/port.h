/*
 * port.h: what the harness needs from a parallel system.  Implemented once per system: UPC (bench/uoms/port.upc), MPI
 * and OpenSHMEM (bench/peers).
 *
 * Thread numbers are 0 to port_threads() - 1.  A call marked collective is made by all threads in the same order.
 */
#ifndef UOMS_PORT_H
#define UOMS_PORT_H

#include <stddef.h>

struct uoms_json;
struct uoms_options;

/* Name of the system, as "UPC" or "MPI" */
extern const char port_system[];

/* Which one it is, with its version, in one line: as "upcc (Banyan) 0.1.0" */
enum { PORT_VERSION_BYTES = 256 };
void port_version(char text[PORT_VERSION_BYTES]);

/* Called before anything else; may change the arguments.  Zero; otherwise the program ends with status 1. */
int port_start(int *argc_p, char ***argv_p);
void port_finish(void);

int port_thread(void);
int port_threads(void);

/* Collective: number of threads that share this machine's memory with the caller, including itself */
int port_threads_on_node(void);

/* Collective */
void port_barrier(void);

/* Called by a thread that waits outside the system: lets the system make progress for others, if that needs calls */
void port_progress(void);

/* Collective: sends size_bytes bytes, at most PORT_LARGEST, from thread 0 to all */
#define PORT_LARGEST 4096
void port_broadcast(void *data, size_t size_bytes);

/* Collective: gathers size_bytes bytes of each thread on thread 0, in order of threads; all is ignored elsewhere. */
void port_gather(const void *mine, size_t size_bytes, void *all);

/* Sends one value from one thread to another; the receiver waits.  For clocks: as fast as the system can. */
void port_send(int to, double value);
double port_receive(int from);

/* Ends all threads at once. */
void port_abort(int status);

/* Collective: whether shared_bytes per thread can be allocated; nothing is touched. */
int port_can_allocate(size_t shared_bytes);

/*
 * Names of the algorithms of an operation ("broadcast"), if the system can list and force them; 0 if it cannot.  At
 * most `room` names, which stay valid.
 */
size_t port_algorithms(const char *operation, const char **names, size_t room);

/* Largest #bytes that an algorithm supports; (size_t)-1 for any */
size_t port_algorithm_limit(const char *operation, const char *name);

/* Collective: from now on the operation uses this algorithm, or (null) the system's own choice again.  Non-zero if that
 * is not possible. */
int port_use_algorithm(const char *operation, const char *name);

/* The algorithm used for an operation of this size, with these options; null if the system does not tell */
const char *port_algorithm(const char *operation, size_t size_bytes, const struct uoms_options *options);

/* Adds further members about the system to the open object */
void port_describe(struct uoms_json *json);

#endif
