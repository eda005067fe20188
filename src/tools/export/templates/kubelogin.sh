# {{#if kubeloginName}}
kubelogin convert-kubeconfig \
  --environment='{{kubeloginName}}' \
  --tenant-id='{{tenant}}' \
  "$@"
# {{/if}}
# {{#unless kubeloginName}}
set -eu
user="${KUBE_USER:-$(kubectl config view --minify --output 'jsonpath={.contexts[0].context.user}')}"
for argument do
  shift
  set -- "$@" "--exec-arg=$argument"
done
kubectl config set-credentials "$user" \
  --exec-api-version=client.authentication.k8s.io/v1beta1 --exec-command=kubelogin \
  --exec-arg=get-token \
  --exec-arg='{{authorityArgument}}' \
  --exec-arg='{{tenantArgument}}' \
  # {{#if disableInstanceDiscovery}}
  --exec-arg=--disable-instance-discovery \
  # {{/if}}
  "$@"
# {{/unless}}
