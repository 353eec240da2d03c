// layout.h: datatypes, also represented as lists of pieces, and buffers with guards around the data of a message.
#pragma once

#include "tester.h"

enum kind { OF_INTEGER, OF_UNSIGNED, OF_FLOAT, OF_COMPLEX, OF_LOGICAL, OF_BYTE, OF_PAIR, OF_OTHER, OF_CHARACTER };

struct piece {
    ptrdiff_t at;
    size_t bytes;
};

// A predefined type
struct basic {
    const char *name;
    MPI_Datatype type;
    enum kind kind;
    int c_type;    // enum of values.h
    size_t extent; // of an element of an array in C
    size_t bytes;  // of data in it: less than extent if it has gaps
    size_t align;
    struct piece pieces[2];
    int n_pieces;
};

void basics_set_up(void);
// Whether libraries crash in long messages of the type: MPICH 4.0 for pairs, Open MPI 4.1 if a fragment ends within an
// element.
bool basic_is_weak(const struct basic *basic);
int basics(const struct basic **all); // their number

// What one unit of a message consists of.  Each rank may choose its own layout of units.
struct signature {
    int n;
    const struct basic *members[3];
    size_t bytes, align;
    size_t units_of_instance; // 0: any
    bool is_weak;             // for short messages only
    bool is_nothing;          // no data is sent: the types are empty
};

void signature_make(struct signature *signature, struct rng *rng);
void signature_words(const struct signature *signature, char *words, size_t nbytes);

struct layout {
    MPI_Datatype type;
    bool is_own; // must be freed
    size_t units, bytes;
    ptrdiff_t lb, extent;
    struct piece *pieces; // in the order of the type's signature
    size_t n_pieces, most_pieces;
    ptrdiff_t low, high; // bounds of the data
    char words[100];
};

// A type with a number of units: random, or plain and contiguous
void layout_make(struct layout *layout, struct rng *rng, const struct signature *signature, size_t units);
void layout_make_plain(struct layout *layout, const struct signature *signature);
void layout_make_empty(struct layout *layout, struct rng *rng);
void layout_copy(struct layout *to, const struct layout *from);
void layout_free(struct layout *layout);

// Copy between a contiguous stream and count instances at an address
void layout_put(const struct layout *layout, size_t count, unsigned char *at, const unsigned char *stream);
void layout_get(const struct layout *layout, size_t count, const unsigned char *at, unsigned char *stream);

// Whether the library's MPI_Pack and MPI_Unpack agree with the pieces for count instances
bool layout_agrees(const struct layout *layout, size_t count);

// The pieces of a type, which user-defined operations need; null for a predefined one
const struct layout *layout_of_type(MPI_Datatype type);

// One side of a call: blocks in one buffer.  SAME: consecutive blocks of one type and count.  SPREAD: blocks of one
// type with counts and displacements.  MIXED: types differ, too; displacements are in bytes.
enum style { SAME, SPREAD, MIXED };

struct side {
    enum style style;
    int n;
    struct layout *layouts; // one, or n
    size_t counts[MOST_MEMBERS];
    ptrdiff_t displacements[MOST_MEMBERS]; // as the call expects them
    ptrdiff_t at[MOST_MEMBERS];            // in bytes from address
    MPI_Datatype types[MOST_MEMBERS];
    unsigned char *memory, *want;
    size_t nbytes;
    unsigned char *address; // passed to the call; may be outside of memory if it is never used
    ptrdiff_t offset;       // of address in memory
    bool is_bottom;         // the call is passed MPI_BOTTOM and one instance of bottom
    MPI_Datatype bottom;
    bool is_null;        // the call is passed no address
    bool borrows_layout; // of another side, which frees it
};

void side_make(struct side *side, struct rng *rng, const struct signature *signature, enum style style, int n,
               const size_t *units, size_t common_units);
void side_make_of(struct side *side, struct rng *rng, struct layout *layout, int n, size_t count);
void side_free(struct side *side);
// Sometimes switches to an absolute address, if there is one block
void side_use_bottom(struct side *side, struct rng *rng);
// Sometimes uses no address, if all blocks are empty
void side_use_null(struct side *side, struct rng *rng);

// Set the data of a block before the call, and the data expected after it
void side_put(struct side *side, int block, const unsigned char *stream);
void side_expect(struct side *side, int block, const unsigned char *stream);
// Fails unless memory holds the expected data.
void side_check(const struct trial *trial, const struct side *side, const char *name);

// The arguments for a call
const void *side_address(const struct side *side);
size_t side_count(const struct side *side);
MPI_Datatype side_type(const struct side *side);
