# {{#unless isKnown}}
export GF_AZURE_CLOUDS_CONFIG='{{grafanaClouds}}'
export GFAZPL_AZURE_CLOUDS_CONFIG='{{grafanaClouds}}'
# {{/unless}}
export GF_AZURE_CLOUD='{{azName}}'
export GFAZPL_AZURE_CLOUD='{{azName}}'
