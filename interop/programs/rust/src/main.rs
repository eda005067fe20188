//! Signs in with the module of `export rust`, and prints the token of the resource manager.

mod cloud;

use azure_core::credentials::TokenCredential;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let credential = cloud::create_credential()?;
    let token = credential.get_token(&[cloud::RESOURCE_MANAGER_SCOPE], None).await?;
    print!("{}", token.token.secret());
    Ok(())
}
