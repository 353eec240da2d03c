/*
 * switch.c: an Ethernet switch with slow links, for kernels without netem.
 *
 *     switch DELAY_US RATE_MBIT LOSS_PPM PID...
 *
 * Makes a TAP device eth0 in the network namespace of each process, prints "ready", and passes frames on between them
 * until it is killed: each frame takes DELAY_US, and each link, in each direction, passes RATE_MBIT (0: any rate).
 * Frames that find a full queue are lost, as in any switch, and so are LOSS_PPM of a million, at random.
 *
 * Hosts send and receive trains of frames of up to 64 KiB, with the header that tells network cards how to segment
 * them, which is passed on unchanged: that takes two system calls for each 44 frames, which otherwise would take more
 * processor time than what is tested.  A train is timed like its frames; it is lost as a whole if one of them is.
 */
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
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

enum {
    PORTS_MAX = 64,
    QUEUE_TRAINS = 4096,
    QUEUE_BYTES = 6 << 20,
    TRAIN_BYTES = 65536 + 256,
    FRAME_BYTES = 1514, /* the largest size of a train */
    HEADER_BYTES = sizeof(struct virtio_net_hdr),
    ADDRESS_BYTES = 6,
    NS_PER_US = 1000,
    ROUND_TRAINS = 64
};

/* One frame, or several of one connection, after the header that tells how to segment them */
struct train {
    int64_t due_ns;
    size_t size_bytes; /* including the header */
    unsigned char bytes[];
};

struct port {
    int device;
    int64_t in_free_ns, out_free_ns; /* when the link has passed what it was given, in each direction */
    unsigned first, end;             /* of the queue, modulo 2^32 */
    size_t queued_bytes;
    struct train **queue;
    unsigned char address[ADDRESS_BYTES]; /* of the host at this port, once it has sent something */
};

static struct port ports[PORTS_MAX];
static int port_count;
static int64_t delay_ns;
static int64_t rate_mbit;
static int64_t loss_ppm;

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
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR, .ifr_name = "eth0"};
    int header_bytes = HEADER_BYTES;
    struct port *port = &ports[port_count++];
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/ns/net", pid);
    enter(path);
    port->device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    port->queue = malloc(QUEUE_TRAINS * sizeof(struct train *));
    if (port->device < 0 || !port->queue || ioctl(port->device, TUNSETIFF, &request) != 0 ||
        ioctl(port->device, TUNSETVNETHDRSZ, &header_bytes) != 0 ||
        ioctl(port->device, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6) != 0)
        fail("/dev/net/tun");
}

/* How long a link takes for this many bytes */
static int64_t passage_ns(size_t size_bytes)
{
    return rate_mbit > 0 ? (int64_t)size_bytes * 8 * 1000 / rate_mbit : 0;
}

/* The bytes of a train on a link, where each of its frames repeats the headers of the first */
static size_t weight_of(const struct virtio_net_hdr *header, size_t size_bytes)
{
    if (header->gso_type == VIRTIO_NET_HDR_GSO_NONE || header->gso_size == 0 || header->hdr_len >= size_bytes)
        return size_bytes;
    size_t frames = (size_bytes - header->hdr_len + header->gso_size - 1) / header->gso_size;
    return size_bytes + (frames - 1) * header->hdr_len;
}

/* Queues a train that begins to enter the switch at begin_ns and is complete at end_ns; it leaves frame by frame, the
 * first when the train is complete. */
static void enqueue(struct port *port, const unsigned char *bytes, size_t size_bytes, size_t weight_bytes,
                    int64_t begin_ns, int64_t end_ns)
{
    struct train *train = NULL;
    if (port->end - port->first < QUEUE_TRAINS && port->queued_bytes + size_bytes <= QUEUE_BYTES)
        train = malloc(sizeof *train + size_bytes);
    if (!train)
        return;
    int64_t frame_ns = passage_ns(weight_bytes < FRAME_BYTES ? weight_bytes : FRAME_BYTES);
    int64_t starts_ns = begin_ns + frame_ns > port->out_free_ns ? begin_ns + frame_ns : port->out_free_ns;
    int64_t ends_ns = starts_ns + passage_ns(weight_bytes);
    port->out_free_ns = ends_ns > end_ns + frame_ns ? ends_ns : end_ns + frame_ns;
    port->queue[port->end++ % QUEUE_TRAINS] = train;
    port->queued_bytes += size_bytes;
    train->due_ns = port->out_free_ns + delay_ns;
    train->size_bytes = size_bytes;
    memcpy(train->bytes, bytes, size_bytes);
}

/* Whether one of the frames of a train gets lost */
static bool is_lost(size_t weight_bytes)
{
    for (size_t bytes = 0; loss_ppm > 0 && bytes < weight_bytes; bytes += FRAME_BYTES) {
        if (random() % 1000000 < loss_ppm)
            return true;
    }
    return false;
}

/* To the receiver's port; to all others if it is a broadcast or the receiver's port is unknown. */
static void forward(struct port *from, const unsigned char *bytes, size_t size_bytes)
{
    struct virtio_net_hdr header;
    const unsigned char *frame = bytes + HEADER_BYTES;
    struct port *to = NULL;
    memcpy(&header, bytes, sizeof header);
    memcpy(from->address, frame + ADDRESS_BYTES, ADDRESS_BYTES);
    for (int i = 0; i < port_count; i++) {
        if (memcmp(ports[i].address, frame, ADDRESS_BYTES) == 0)
            to = &ports[i];
    }
    size_t weight_bytes = weight_of(&header, size_bytes - HEADER_BYTES);
    int64_t now = now_ns();
    int64_t begin_ns = from->in_free_ns > now ? from->in_free_ns : now;
    from->in_free_ns = begin_ns + passage_ns(weight_bytes);
    if (is_lost(weight_bytes))
        return;
    for (int i = 0; i < port_count; i++) {
        if (&ports[i] != from && (!to || to == &ports[i]))
            enqueue(&ports[i], bytes, size_bytes, weight_bytes, begin_ns, from->in_free_ns);
    }
}

static void receive(struct port *from)
{
    static unsigned char bytes[TRAIN_BYTES];
    for (int i = 0; i < ROUND_TRAINS; i++) {
        ssize_t size = read(from->device, bytes, sizeof bytes);
        if (size < HEADER_BYTES + 2 * ADDRESS_BYTES)
            return;
        forward(from, bytes, (size_t)size);
    }
}

static bool has_trains(const struct port *port)
{
    return port->first != port->end;
}

static struct train *first_train(const struct port *port)
{
    return port->queue[port->first % QUEUE_TRAINS];
}

static void send_first(struct port *port)
{
    struct train *train = first_train(port);
    (void)!write(port->device, train->bytes, train->size_bytes); /* a device that is down loses it */
    port->queued_bytes -= train->size_bytes;
    port->first++;
    free(train);
}

/* Sends what is due; returns when the next train is due, or -1. */
static int64_t send_due(void)
{
    int64_t next_ns = -1;
    for (int i = 0; i < port_count; i++) {
        struct port *port = &ports[i];
        while (has_trains(port) && first_train(port)->due_ns <= now_ns())
            send_first(port);
        int64_t due_ns = has_trains(port) ? first_train(port)->due_ns : -1;
        if (due_ns >= 0 && (next_ns < 0 || due_ns < next_ns))
            next_ns = due_ns;
    }
    return next_ns;
}

int main(int argc, char **argv)
{
    struct pollfd polls[PORTS_MAX];
    if (argc < 5 || argc - 4 > PORTS_MAX) {
        fprintf(stderr, "usage: switch DELAY_US RATE_MBIT LOSS_PPM PID...\n");
        return 2;
    }
    delay_ns = atoll(argv[1]) * NS_PER_US;
    rate_mbit = atoll(argv[2]);
    loss_ppm = atoll(argv[3]);
    for (int i = 4; i < argc; i++)
        add_port(argv[i]);
    prctl(PR_SET_TIMERSLACK, 1);
    /* Otherwise the switch would wait until threads that spin at its ends leave the core.  If this is refused, delays
     * grow. */
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
