"""Generates a program of a given length, always the same, in UPC and as its twin in C.

Both have the same functions, line by line.  Every second function works on shared arrays, with upc_forall, indices,
pointers and barriers; in the twin these are plain arrays and loops.  The others are plain C in both.
"""

SHARED_FUNCTION = """\
/* Phase {k}: smooths and folds its arrays. */
{shared}double field_{k}[{elements}];
{shared}double flux_{k}[{elements}];
{shared}int mark_{k}[{elements}];

static double phase_{k}(int rounds)
{{
    {shared}double *p;
    double sum = 0;
    int i, r;

    {all_open}i = 0; i < {elements}; i++{field}) {{
        field_{k}[i] = {k} + i * 0.{digit}5;
        mark_{k}[i] = i % {modulus} == 0;
    }}
    {barrier}
    for (r = 0; r < rounds; r++) {{
        {all_open}i = 1; i < {elements} - 1; i++{flux})
            flux_{k}[i] = 0.5 * (field_{k}[i - 1] + field_{k}[i + 1]) - field_{k}[i] / {modulus};
        {barrier}
        {all_open}i = 1; i < {elements} - 1; i++{field}) {{
            if (mark_{k}[i] && flux_{k}[i] > field_{k}[i])
                field_{k}[i] += flux_{k}[i] * 0.{digit};
            else
                field_{k}[i] -= flux_{k}[(i * {modulus}) % ({elements})];
        }}
        {barrier}
    }}
    for (p = &field_{k}[{me}], i = 0; i < {modulus}; i++, p++)
        sum += *p;
    return sum + field_{k}[{me} + {modulus}];
}}
"""

PRIVATE_FUNCTION = """\
/* Phase {k}: sorts records and writes about them. */
struct record_{k} {{
    int key;
    double weight;
    char label[{modulus} + 8];
}};

static double phase_{k}(int rounds)
{{
    struct record_{k} records[32];
    double sum = 0;

    for (int i = 0; i < 32; i++) {{
        records[i].key = (i * {modulus} + {k}) % 32;
        records[i].weight = sqrt(i + {k}.0) * rounds;
        snprintf(records[i].label, sizeof records[i].label, "r%d", i);
    }}
    for (int i = 1; i < 32; i++) {{
        struct record_{k} moved = records[i];
        int j = i;
        while (j > 0 && records[j - 1].key > moved.key) {{
            records[j] = records[j - 1];
            j--;
        }}
        records[j] = moved;
    }}
    for (int i = 0; i < 32; i++) {{
        switch (records[i].key % {digit}) {{
        case 0: sum += records[i].weight; break;
        case 1: sum -= records[i].label[1] - '0'; break;
        default: sum *= 1.0 + 1e-{digit}; break;
        }}
    }}
    return sum;
}}
"""

UPC_WORDS = {"shared": "shared [16] ", "elements": "64 * THREADS", "all_open": "upc_forall (",
             "barrier": "upc_barrier;",
             "me": "MYTHREAD"}
C_WORDS = {"shared": "", "elements": "64 * 4", "all_open": "for (", "barrier": ";", "me": "1"}


def program(line_count, is_upc):
    """The program's text, cut or padded at function boundaries to line_count lines, up to one function more or less."""
    words = UPC_WORDS if is_upc else C_WORDS
    text = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    text += "#include <upc.h>\n\n" if is_upc else "#include <time.h>\n\n"
    tail = "\nint main(void)\n{{\n    double sum = 0;\n{calls}    printf(\"%g\\n\", sum);\n    return 0;\n}}\n"
    calls = ""
    k = 0
    while True:
        template = PRIVATE_FUNCTION if k % 2 else SHARED_FUNCTION
        fields = dict(words, k=k, digit=k % 7 + 2, modulus=k % 11 + 3)
        for name in ("field", "flux"):
            fields[name] = f"; &{name}_{k}[i]" if is_upc else ""
        function = template.format(**fields) + "\n"
        call = f"    sum += phase_{k}({k % 5 + 1});\n"
        whole = text + function + tail.format(calls=calls + call)
        if whole.count("\n") > line_count:
            break
        text += function
        calls += call
        k += 1
    text += tail.format(calls=calls)
    missing = line_count - text.count("\n")
    return text + "/* The rest is silence. */\n" * missing
