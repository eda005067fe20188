import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import com.azure.resourcemanager.resources.ResourceManager;

/** Lists the subscriptions with the exported class Cloud. */
public final class ListSubscriptions {
    public static void main(String[] arguments) {
        AzureProfile profile = new AzureProfile(new AzureEnvironment(Cloud.ENDPOINTS));
        ResourceManager.authenticate(Cloud.createCredential(), profile)
            .subscriptions()
            .list()
            .forEach(subscription -> System.out.println(subscription.subscriptionId()));
        System.exit(0);
    }
}
