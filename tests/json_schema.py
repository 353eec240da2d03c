"""Checks whether a value conforms to one of the schemas in docs/; supports the parts of JSON Schema that they use, and
asserts that they use no others."""
import json
import os
import re

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict, "array": list}
KNOWN = {"$schema", "title", "description", "type", "properties", "required", "additionalProperties", "propertyNames",
         "items",
         "enum", "pattern", "minimum", "minLength"}


def read(name):
    """A schema by the name of its file."""
    with open(os.path.join(DOCS, name), encoding="utf-8") as file:
        return json.load(file)


def faults(value, schema, where):
    """Violations of the schema, as sentences about the place `where`."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if not isinstance(value, TYPES[schema["type"]]) or isinstance(value, bool) != (schema["type"] == "boolean"):
        return ["%s is no %s" % (where, schema["type"])]
    found = ["%s: %r is not in %s" % (where, value, schema["enum"])] if value not in schema.get("enum", [value]) else []
    if schema["type"] == "integer" and value < schema.get("minimum", value):
        found.append("%s: %d is too small" % (where, value))
    if schema["type"] == "string":
        if len(value) < schema.get("minLength", 0):
            found.append("%s is too short" % where)
        if not re.search(schema.get("pattern", ""), value):
            found.append("%s: %r is not like %s" % (where, value, schema["pattern"]))
    if schema["type"] == "array":
        for i, item in enumerate(value):
            found += faults(item, schema["items"], "%s[%d]" % (where, i))
    if schema["type"] == "object":
        found += faults_of_object(value, schema, where)
    return found


def faults_of_object(value, schema, where):
    """The same for the members of an object; those without a schema of their own have that of additionalProperties, or
    must not exist."""
    properties, others = schema.get("properties", {}), schema["additionalProperties"]
    found = ["%s has no %s" % (where, name) for name in schema.get("required", []) if name not in value]
    for name, member in value.items():
        if name not in properties and others is False:
            found.append("%s has a %s" % (where, name))
            continue
        if "propertyNames" in schema:
            found += faults(name, dict(schema["propertyNames"], type="string"), "a name in %s" % where)
        found += faults(member, properties.get(name, others), "%s.%s" % (where, name))
    return found
