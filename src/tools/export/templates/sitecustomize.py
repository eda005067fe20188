import sys
from importlib.machinery import PathFinder

NAME = "{{azName}}"
ENDPOINTS = {
    # {{#each pythonEndpoints}}
    "{{name}}": "{{value}}",
    # {{/each}}
}
SUFFIXES = {
    # {{#each pythonSuffixes}}
    "{{name}}": "{{value}}",
    # {{/each}}
}
RESOURCE_MANAGER_SCOPE = "{{singleSlashScope}}"


def add_cloud(module):
    """The collection takes as a cloud what it finds in this module under the given name."""
    endpoints, suffixes = module.CloudEndpoints(), module.CloudSuffixes()
    for key, value in ENDPOINTS.items():
        setattr(endpoints, key, value)
    for key, value in SUFFIXES.items():
        setattr(suffixes, key, value)
    module.CLOUD_PROFILE = module.Cloud(NAME, endpoints=endpoints, suffixes=suffixes)


def use_audience(module):
    """The collection requests tokens for the address of the resource manager. Its audience can be another one."""
    policy = module.BearerTokenCredentialPolicy
    init = policy.__init__
    asked = ENDPOINTS["resource_manager"].rstrip("/") + "/.default"

    def init_with_audience(self, credential, *scopes, **options):
        scopes = [RESOURCE_MANAGER_SCOPE if scope == asked else scope for scope in scopes]
        init(self, credential, *scopes, **options)

    policy.__init__ = init_with_audience


def use_default(module):
    """Cloud Custodian (c7n-azure 0.7) takes the public cloud of this module unless a region names another one."""
    endpoints, suffixes = module.CloudEndpoints(), module.CloudSuffixes()
    for key, value in ENDPOINTS.items():
        setattr(endpoints, key, value)
    for key, value in SUFFIXES.items():
        setattr(suffixes, key, value)
    # Custodian appends `.default` to it.
    endpoints.active_directory_resource_id = endpoints.active_directory_resource_id.rstrip("/") + "/"
    cloud = module.Cloud(NAME, endpoints=endpoints, suffixes=suffixes)
    module.AZURE_PUBLIC_CLOUD = cloud


class AfterImport:
    """Runs a function after a module has been imported, so that other programs do not pay for it."""

    # Each with the versions that were read or run.
    changes = {
        # azure.azcollection 3.12, azure-cli-core 2.91
        "azure.cli.core.cloud": add_cloud,
        # azure-core 1.36
        "azure.core.pipeline.policies._authentication": use_audience,
        # msrestazure 0.6.4, of c7n-azure 0.7
        "msrestazure.azure_cloud": use_default,
    }

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        change = cls.changes.get(name)
        spec = PathFinder.find_spec(name, path, target) if change else None
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                change(module)

            spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, AfterImport)
