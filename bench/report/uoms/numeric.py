"""Numbers that commands take as options: types for argparse, which shows what they say."""

import argparse

MOST_SECONDS = 10**6  # what waits for longer is not meant, and poll(2) cannot


def _number(text, name, is_meant):
    """The number in a text; NaN compares with nothing, so no range has it."""
    try:
        number = float(text)
    except ValueError:
        number = None
    if number is None or not is_meant(number):
        raise argparse.ArgumentTypeError(f"{text} is not {name}")
    return number


def margin(text):
    """A part of something, that is tolerated"""
    return _number(text, "a finite number from 0 on", lambda number: 0 <= number < float("inf"))


def seconds(text):
    """How long something may take"""
    name = f"a number of seconds above 0, up to {MOST_SECONDS}"
    return _number(text, name, lambda number: 0 < number <= MOST_SECONDS)
