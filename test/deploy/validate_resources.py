"""Compares resources of templates with the models of the management libraries, which are generated from the published schemas.

Reads a list of resources from stdin. Prints one problem a line: a field that the API version does not have, one that only the
cloud may set, one that is missing, or a value outside its limits.
"""

import importlib
import json
import sys

# Each type: the library, and the model of its body.
MODELS = {
    "Microsoft.Web/serverfarms": ("web", "AppServicePlan"),
    "Microsoft.Web/sites": ("web", "Site"),
    "Microsoft.Web/sites/slots": ("web", "Site"),
    "Microsoft.Web/sites/config": ("web", "StringDictionary"),
    "Microsoft.Web/sites/slots/config": ("web", "StringDictionary"),
    "Microsoft.Web/sites/basicPublishingCredentialsPolicies": ("web", "CsmPublishingCredentialsPoliciesEntity"),
    "Microsoft.Web/sites/slots/basicPublishingCredentialsPolicies": ("web", "CsmPublishingCredentialsPoliciesEntity"),
    "Microsoft.Network/privateEndpoints": ("network", "PrivateEndpoint"),
    "Microsoft.Network/privateEndpoints/privateDnsZoneGroups": ("network", "PrivateDnsZoneGroup"),
    "Microsoft.Storage/storageAccounts": ("storage", "StorageAccountCreateParameters"),
    "Microsoft.Storage/storageAccounts/blobServices/containers": ("storage", "BlobContainer"),
    "Microsoft.Insights/components": ("applicationinsights", "ApplicationInsightsComponent"),
    "Microsoft.ManagedIdentity/userAssignedIdentities": ("msi", "Identity"),
    "Microsoft.Authorization/roleAssignments": ("authorization", "RoleAssignmentCreateParameters"),
}

# What every resource of a template has besides the body.
ENVELOPE = {"type", "apiVersion", "name", "dependsOn", "scope", "condition", "copy"}


def is_expression(value):
    return isinstance(value, str) and value.startswith("[")


def check(value, kind, models, path, problems):
    if value is None or is_expression(value):
        return
    if kind.startswith("[") and kind.endswith("]"):
        if not isinstance(value, list):
            problems.append(f"{path}: not a list")
            return
        for index, each in enumerate(value):
            check(each, kind[1:-1], models, f"{path}[{index}]", problems)
    elif kind.startswith("{") and kind.endswith("}"):
        if not isinstance(value, dict):
            problems.append(f"{path}: not an object")
            return
        for name, each in value.items():
            check(each, kind[1:-1], models, f"{path}.{name}", problems)
    elif kind in ("str", "iso-8601", "duration"):
        if not isinstance(value, str):
            problems.append(f"{path}: not a text")
    elif kind == "bool":
        if not isinstance(value, bool):
            problems.append(f"{path}: not true or false")
    elif kind in ("int", "float", "long"):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            problems.append(f"{path}: not a number")
    elif kind == "object":
        pass
    else:
        model = getattr(models, kind)
        if hasattr(model, "_attribute_map"):
            check_model(value, model, models, path, problems)
        else:
            # An enumeration.
            allowed = {each.value.lower() for each in model}
            if str(value).lower() not in allowed:
                problems.append(f"{path}: {value} is none of {sorted(allowed)}")


def check_model(value, model, models, path, problems):
    if is_expression(value):
        return
    if not isinstance(value, dict):
        problems.append(f"{path}: not an object")
        return
    tree = {}
    for attribute, field in model._attribute_map.items():
        node = tree
        # A dot within a name is escaped.
        *parents, last = field["key"].replace("\\.", "\0").split(".")
        for parent in parents:
            node = node.setdefault(parent.replace("\0", "."), {})
        node[last.replace("\0", ".")] = (field["type"], model._validation.get(attribute, {}))
    check_tree(value, tree, models, path, problems)


def check_tree(value, tree, models, path, problems):
    for name, each in value.items():
        if name not in tree:
            problems.append(f"{path}.{name}: no such field")
        elif isinstance(tree[name], dict):
            check_tree(each, tree[name], models, f"{path}.{name}", problems)
        else:
            kind, rules = tree[name]
            if rules.get("readonly"):
                problems.append(f"{path}.{name}: only the cloud may set it")
            for limit, broken in (("max_length", lambda m: len(each) > m), ("min_length", lambda m: len(each) < m)):
                if limit in rules and isinstance(each, str) and broken(rules[limit]):
                    problems.append(f"{path}.{name}: breaks {limit} {rules[limit]}")
            check(each, kind, models, f"{path}.{name}", problems)
    for name, node in tree.items():
        if isinstance(node, tuple) and node[1].get("required") and name not in value:
            problems.append(f"{path}.{name}: missing")


problems = []
for resource in json.load(sys.stdin):
    kind, version = resource["type"], resource["apiVersion"]
    if kind not in MODELS:
        problems.append(f"{kind}: no model is known for it")
        continue
    library, name = MODELS[kind]
    try:
        models = importlib.import_module(f"azure.mgmt.{library}.v{version.replace('-', '_')}.models")
    except ModuleNotFoundError:
        problems.append(f"{kind}: there is no API version {version}")
        continue
    body = {field: value for field, value in resource.items() if field not in ENVELOPE}
    check_model(body, getattr(models, name), models, kind, problems)

print("\n".join(problems), end="")
