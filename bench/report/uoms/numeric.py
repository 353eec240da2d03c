"""Numeric option values: types for argparse, which prints their error messages."""

import argparse

MOST_SECONDS = 10**6  # longer waits are mistakes, and poll(2) cannot do them


def _number(text, name, is_meant):
    """The number in a text; NaN is in no range, since all comparisons with it are false."""
    try:
        number = float(text)
    except ValueError:
        number = None
    if number is None or not is_meant(number):
        raise argparse.ArgumentTypeError(f"{text} is not {name}")
    return number


def margin(text):
    """A tolerance, as a fraction"""
    return _number(text, "a finite number from 0 on", lambda number: 0 <= number < float("inf"))


def seconds(text):
    """A duration"""
    name = f"a number of seconds above 0, up to {MOST_SECONDS}"
    return _number(text, name, lambda number: 0 < number <= MOST_SECONDS)
