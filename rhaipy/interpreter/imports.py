"""`import` and `export`."""

from rhaipy.errors import MismatchDataType, ModuleNotFound, RhaiError, VariableNotFound
from rhaipy.interpreter.machine import Machine, handles
from rhaipy.limit_errors import TooManyModules
from rhaipy.optimize.purity import start
from rhaipy.syntax.nodes import Export, Import
from rhaipy.values import Value, raw_type_name


@handles(Import)
def run_import(machine: Machine, node: Import) -> Value:
    world = machine.world
    if world.limits.max_modules and machine.modules >= world.limits.max_modules:
        raise TooManyModules(node.at)
    path = machine.value_of(node.path)
    if type(path) is not str:
        raise MismatchDataType(node.path.at, "string", raw_type_name(path))
    at = start(node.path)
    try:
        module = world.resolve(machine, path) if world.resolve is not None else None
    except RhaiError as error:
        error.filled(at)
        raise
    if module is None:
        raise ModuleNotFound(at, path)
    machine.imports.append((node.name, module))
    machine.modules += 1
    return None


@handles(Export)
def run_export(machine: Machine, node: Export) -> Value:
    index = machine.scope.search(node.name)
    if index < 0:
        raise VariableNotFound(node.name_at, node.name)
    machine.scope.export(index, node.alias or node.name)
    return None
