const head = `# Generated from deploy/prometheus/alerts.yaml by npm run generate.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: cloud-profile
  namespace: cloud-profile
spec:
`

/** The alert rules as a resource of the Prometheus operator. @param alerts A rule file of Prometheus. */
export function renderPrometheusRule(alerts: string): string {
  const rules = alerts.split('\n').filter((line) => !line.startsWith('#'))
  return `${head}${rules.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}`
}
