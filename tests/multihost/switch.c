/*
 * switch.c: an Ethernet switch with slow links, for kernels without netem.
 *
 *     switch DELAY_US RATE_MBIT PID...
 *
 * Makes a TAP device eth0 in the network namespace of each process, prints "ready", and passes frames on between them until it is
 * killed: each frame takes DELAY_US, and each link, in each direction, passes RATE_MBIT (0: any rate).  Frames that find a full queue are
 * lost, as in any switch.
 */
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { PORTS_MAX = 64, QUEUE_FRAMES = 4096, FRAME_BYTES = 2048, ADDRESS_BYTES = 6, NS_PER_US = 1000, ROUND_FRAMES = 64 };

struct frame {
    int64_t due_ns;
    size_t size_bytes;
    unsigned char bytes[FRAME_BYTES];
};

struct port {
    int device;
    int64_t in_free_ns, out_free_ns; /* when the link has passed what it was given, in each direction */
    unsigned first, end;             /* of the queue, modulo 2^32 */
    struct frame *queue;
    unsigned char address[ADDRESS_BYTES]; /* of the host there, once it has sent something */
};

static struct port ports[PORTS_MAX];
static int port_count;
static int64_t delay_ns;
static int64_t rate_mbit;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void enter(const char *namespace_path)
{
    int namespace = open(namespace_path, O_RDONLY | O_CLOEXEC);
    if (namespace < 0 || setns(namespace, CLONE_NEWNET) != 0)
        fail(namespace_path);
    close(namespace);
}

static void add_port(const char *pid)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI, .ifr_name = "eth0"};
    struct port *port = &ports[port_count++];
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/ns/net", pid);
    enter(path);
    port->device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    port->queue = malloc(QUEUE_FRAMES * sizeof *port->queue);
    if (port->device < 0 || !port->queue || ioctl(port->device, TUNSETIFF, &request) != 0)
        fail("/dev/net/tun");
}

/* When a link that is free from *free_ns_p on has passed a frame that comes at time_ns */
static int64_t pass_link(int64_t *free_ns_p, int64_t time_ns, size_t size_bytes)
{
    int64_t begin = *free_ns_p > time_ns ? *free_ns_p : time_ns;
    *free_ns_p = begin + (rate_mbit > 0 ? (int64_t)size_bytes * 8 * 1000 / rate_mbit : 0);
    return *free_ns_p;
}

static void queue_frame(struct port *port, const unsigned char *bytes, size_t size_bytes, int64_t time_ns)
{
    if (port->end - port->first == QUEUE_FRAMES)
        return;
    struct frame *frame = &port->queue[port->end++ % QUEUE_FRAMES];
    frame->due_ns = pass_link(&port->out_free_ns, time_ns, size_bytes) + delay_ns;
    frame->size_bytes = size_bytes;
    memcpy(frame->bytes, bytes, size_bytes);
}

/* To the port of the receiver; to all others, if it is for all or nobody knows where it is. */
static void forward(struct port *from, const unsigned char *bytes, size_t size_bytes)
{
    int64_t time_ns = pass_link(&from->in_free_ns, now_ns(), size_bytes);
    struct port *to = NULL;
    memcpy(from->address, bytes + ADDRESS_BYTES, ADDRESS_BYTES);
    for (int i = 0; i < port_count; i++) {
        if (memcmp(ports[i].address, bytes, ADDRESS_BYTES) == 0)
            to = &ports[i];
    }
    for (int i = 0; i < port_count; i++) {
        if (&ports[i] != from && (!to || to == &ports[i]))
            queue_frame(&ports[i], bytes, size_bytes, time_ns);
    }
}

static void receive(struct port *from)
{
    unsigned char bytes[FRAME_BYTES];
    for (int i = 0; i < ROUND_FRAMES; i++) {
        ssize_t size = read(from->device, bytes, sizeof bytes);
        if (size < 2 * ADDRESS_BYTES)
            return;
        forward(from, bytes, (size_t)size);
    }
}

/* Sends what is due; returns when the next frame is, or -1. */
static int64_t send_due(void)
{
    int64_t next_ns = -1;
    for (int i = 0; i < port_count; i++) {
        struct port *port = &ports[i];
        while (port->first != port->end && port->queue[port->first % QUEUE_FRAMES].due_ns <= now_ns()) {
            const struct frame *frame = &port->queue[port->first++ % QUEUE_FRAMES];
            (void)!write(port->device, frame->bytes, frame->size_bytes); /* a device that is down loses it */
        }
        int64_t due_ns = port->first != port->end ? port->queue[port->first % QUEUE_FRAMES].due_ns : -1;
        if (due_ns >= 0 && (next_ns < 0 || due_ns < next_ns))
            next_ns = due_ns;
    }
    return next_ns;
}

int main(int argc, char **argv)
{
    struct pollfd polls[PORTS_MAX];
    if (argc < 4 || argc - 3 > PORTS_MAX) {
        fprintf(stderr, "usage: switch DELAY_US RATE_MBIT PID...\n");
        return 2;
    }
    delay_ns = atoll(argv[1]) * NS_PER_US;
    rate_mbit = atoll(argv[2]);
    for (int i = 3; i < argc; i++)
        add_port(argv[i]);
    prctl(PR_SET_TIMERSLACK, 1);
    /* No switch waits until the threads that spin at its ends are done with the core.  Where this is refused, delays grow. */
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    puts("ready");
    fflush(stdout);
    for (;;) {
        int64_t next_ns = send_due();
        int64_t wait_ns = next_ns - now_ns();
        struct timespec wait = {0, 0};
        if (wait_ns > 0)
            wait = (struct timespec){wait_ns / 1000000000, wait_ns % 1000000000};
        for (int i = 0; i < port_count; i++)
            polls[i] = (struct pollfd){.fd = ports[i].device, .events = POLLIN};
        if (ppoll(polls, (nfds_t)port_count, next_ns < 0 ? NULL : &wait, NULL) <= 0)
            continue;
        for (int i = 0; i < port_count; i++) {
            if (polls[i].revents & POLLIN)
                receive(&ports[i]);
        }
    }
}
