#!/usr/bin/env python3
"""Runs another library of fast multipole methods: how long it takes, and how accurate its results are.

Prints a line of JSON for each turn: seconds, processor seconds, and errors of potentials and of gradients (relative,
2-norm, 200 bodies). fmm3d is FMM3D by PyPI's fmm3dpy, fmmlib is FMMLIB3D by pyfmmlib, ferreus is ferreus-bbfmm (black
box, Chebyshev); all need numpy.
"""

import argparse
import json
import sys
import time

try:
    import numpy
except ImportError:
    numpy = None

SAMPLE = 200
FMMLIB_DIGITS = {2: -1, 3: 0, 6: 1, 9: 2, 12: 3}  # of iprec


def make_bodies(count, distribution):
    """Places (3, count) and charges, with the distributions of apps/fmm, from another generator"""
    random = numpy.random.default_rng(1)
    if distribution == "uniform":
        places = random.random((3, count))
    else:  # the surface of an ellipsoid with axes 1 : 1 : 4
        z, angle = 2 * random.random(count) - 1, 2 * numpy.pi * random.random(count)
        flat = numpy.sqrt(1 - z * z)
        places = numpy.array([flat * numpy.cos(angle), flat * numpy.sin(angle), 4 * z])
    return numpy.asfortranarray(places), random.random(count)


def by_fmm3d(places, charges, tolerance):
    import fmm3dpy
    out = fmm3dpy.lfmm3d(eps=tolerance, sources=places, charges=charges, pg=2)
    return out.pot, out.grad


def by_fmmlib(places, charges, tolerance):
    from pyfmmlib import fmm_part
    digits = next(d for d in sorted(FMMLIB_DIGITS) if 10.0 ** -d <= tolerance)
    potentials, gradients = fmm_part("pg", iprec=FMMLIB_DIGITS[digits], kernel=0, sources=places.T,
                                     mop_charge=charges)
    return numpy.real(potentials), numpy.real(gradients).T


def by_ferreus(places, charges, tolerance):
    import ferreus_bbfmm as bbfmm
    order = next(order for order in range(3, 20) if 10.0 ** (1 - order) <= tolerance)  # order of its polynomials
    points, weights = numpy.ascontiguousarray(places.T), charges.reshape(-1, 1)
    tree = bbfmm.FmmTree(points, order, bbfmm.KernelParams(bbfmm.FmmKernelType.Laplacian), True)
    tree.set_weights(weights)
    tree.set_local_coefficients()
    potentials, gradients = tree.evaluate_with_gradients(weights, points)
    return potentials, gradients.reshape(len(charges), 3).T


LIBRARIES = {"fmm3d": by_fmm3d, "fmmlib": by_fmmlib, "ferreus": by_ferreus}


def errors(places, charges, potentials, gradients):
    """Errors compared with direct sums; a library's constant factor and sign of the gradient are determined on the way.
    """
    square, norm = numpy.zeros(2), numpy.zeros(2)
    which = numpy.arange(SAMPLE) * (len(charges) // SAMPLE)
    right_p, right_g = numpy.empty(SAMPLE), numpy.empty((3, SAMPLE))
    for k, i in enumerate(which):
        away = places[:, i:i + 1] - places
        r = numpy.sqrt((away * away).sum(axis=0))
        r[i] = numpy.inf
        right_p[k] = (charges / r).sum()
        right_g[:, k] = -(charges / r ** 3 * away).sum(axis=1)
    found_p, found_g = potentials[which], gradients.reshape(3, -1)[:, which]
    found_p = found_p * (1 if found_p[0] / right_p[0] > 0.5 else 4 * numpy.pi)
    scale = numpy.vdot(found_g, right_g)
    found_g = found_g * (numpy.sign(scale) * (1 if abs(scale) > 0.5 * numpy.vdot(right_g, right_g) else 4 * numpy.pi))
    for k, (found, right) in enumerate(((found_p, right_p), (found_g, right_g))):
        square[k], norm[k] = ((found - right) ** 2).sum(), (right ** 2).sum()
    return numpy.sqrt(square / norm)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", choices=LIBRARIES)
    parser.add_argument("count", type=int, help="of bodies")
    parser.add_argument("distribution", choices=("uniform", "ellipse"))
    parser.add_argument("tolerance", type=float)
    parser.add_argument("turns", type=int)
    options = parser.parse_args()
    if numpy is None:
        sys.exit(f"peer.py: {sys.executable} has no NumPy")
    places, charges = make_bodies(options.count, options.distribution)
    for _ in range(options.turns):
        begin, processor = time.perf_counter(), time.process_time()
        try:
            potentials, gradients = LIBRARIES[options.library](places, charges, options.tolerance)
        except ImportError as error:
            sys.exit(f"peer.py: {error}")
        seconds, processor = time.perf_counter() - begin, time.process_time() - processor
        found = errors(places, charges, potentials, gradients)
        print(json.dumps({"seconds": seconds, "processor": processor, "errors": list(found)}), flush=True)


if __name__ == "__main__":
    main()
