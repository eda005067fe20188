/** What the class of `export java` needs of azure-identity. */
export const javaStubs = {
  ClientSecretCredential: 'package com.azure.identity; public class ClientSecretCredential {}',
  AadCredentialBuilderBase: `package com.azure.identity; public abstract class AadCredentialBuilderBase<T extends AadCredentialBuilderBase<T>> {
  @SuppressWarnings("unchecked") private T self() { return (T) this; }
  public T authorityHost(String s) { return self(); } public T tenantId(String s) { return self(); }
  public T clientId(String s) { return self(); } public T disableInstanceDiscovery() { return self(); } }`,
  ClientSecretCredentialBuilder: `package com.azure.identity; public class ClientSecretCredentialBuilder extends AadCredentialBuilderBase<ClientSecretCredentialBuilder> {
  public ClientSecretCredentialBuilder clientSecret(String s) { return this; } public ClientSecretCredential build() { return null; } }`,
}
