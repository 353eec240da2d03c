/*
 * rows.h: arrays of two dimensions and pointers to their rows, against the formulas of the language.
 *
 * TEST_ROWS(B, COLUMNS) defines test_<B>_<COLUMNS>(): row i, column j is object i * COLUMNS + j of the array, and a
 * pointer to a row moves by COLUMNS objects.
 */
#ifndef ROWS_H
#define ROWS_H

#include <upc.h>

#include "check.h"

enum { ROWS = 5 };

#define TEST_ROWS(B, COLUMNS)                                                                              \
    static shared [B] int matrix_##B##_##COLUMNS[ROWS * THREADS][COLUMNS];                                 \
    static void test_##B##_##COLUMNS(void)                                                                 \
    {                                                                                                      \
        shared [B] int *first = &matrix_##B##_##COLUMNS[0][0];                                             \
        EQ(upc_blocksizeof(matrix_##B##_##COLUMNS), B);                                                    \
        EQ(upc_elemsizeof(matrix_##B##_##COLUMNS), sizeof(int));                                           \
        EQ(sizeof matrix_##B##_##COLUMNS, sizeof(int) * ROWS * THREADS * COLUMNS);                         \
        EQ(sizeof matrix_##B##_##COLUMNS[1], sizeof(int) * COLUMNS);                                       \
        for (long i = 0; i < ROWS * THREADS; i++) {                                                        \
            shared [B] int(*row)[COLUMNS] = &matrix_##B##_##COLUMNS[i];                                    \
            shared [B] int *object = first + i * COLUMNS;                                                  \
            CHECK((shared [B] int *)row == object);                                                        \
            EQ(upc_threadof(row), i * COLUMNS / (B) % THREADS);                                            \
            EQ(upc_phaseof(row), i * COLUMNS % (B));                                                       \
            EQ(upc_phaseof((shared [B] int *)row), i * COLUMNS % (B));                                     \
            CHECK(matrix_##B##_##COLUMNS[i] == object && *row == object);                                  \
            for (long j = 0; j < COLUMNS; j++) {                                                           \
                long number = i * COLUMNS + j;                                                             \
                shared [B] int *p = &matrix_##B##_##COLUMNS[i][j];                                         \
                EQ(p - first, number);                                                                     \
                EQ(upc_threadof(p), number / (B) % THREADS);                                               \
                EQ(upc_phaseof(p), number % (B));                                                          \
                CHECK(&(*row)[j] == p && &row[0][j] == p && *row + j == p);                                \
            }                                                                                              \
            for (long other = 0; other < ROWS * THREADS; other++) {                                        \
                shared [B] int(*to)[COLUMNS] = row + (other - i);                                          \
                CHECK(to == &matrix_##B##_##COLUMNS[other]);                                               \
                EQ(upc_phaseof(to), other * COLUMNS % (B));                                                \
                EQ(to - row, other - i);                                                                   \
                CHECK((to < row) == (other < i) && (to >= row) == (other >= i));                           \
                CHECK(&row[other - i][0] == first + other * COLUMNS);                                      \
            }                                                                                              \
        }                                                                                                  \
    }

#endif
