
terraform {
  backend "azurerm" {
    # {{#if terraformName}}
    environment      = "{{terraformName}}"
    # {{/if}}
    # {{#unless terraformName}}
    metadata_host    = "{{metadataHost}}"
    # {{/unless}}
    tenant_id        = "{{tenant}}"
    use_azuread_auth = true
  }
}

# {{#if isStack}}
provider "azurestack" {
  features {}
  environment   = "{{stackName}}"
  metadata_host = "{{metadataHost}}"
  tenant_id     = "{{tenant}}"
}
# {{/if}}
# {{#unless isStack}}
provider "azurerm" {
  features {}
  # {{#if terraformName}}
  environment = "{{terraformName}}"
  tenant_id   = "{{tenant}}"
  # {{/if}}
  # {{#unless terraformName}}
  metadata_host = "{{metadataHost}}"
  tenant_id     = "{{tenant}}"
  # {{/unless}}
}

provider "azuread" {
  # {{#if terraformName}}
  environment = "{{terraformName}}"
  tenant_id   = "{{tenant}}"
  # {{/if}}
  # {{#unless terraformName}}
  metadata_host = "{{metadataHost}}"
  tenant_id     = "{{tenant}}"
  # {{/unless}}
}
# {{/unless}}

provider "azapi" {
  # {{#if terraformName}}
  tenant_id   = "{{tenant}}"
  environment = "{{terraformName}}"
  # {{/if}}
  # {{#unless terraformName}}
  tenant_id                  = "{{tenant}}"
  environment                = "custom"
  disable_instance_discovery = "{{disableInstanceDiscovery}}"
  endpoint = [{
    active_directory_authority_host = "{{authority}}"
    resource_manager_endpoint       = "{{resourceManagerEndpoint}}"
    resource_manager_audience       = "{{resourceManagerAudience}}"
  }]
  # {{/unless}}
}
