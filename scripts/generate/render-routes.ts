import { createOpenApi } from '../../src/functions/openapi.ts'

const introduction = `# Routes

For everyone who calls the service. Generated from [openapi.json](openapi.json), which describes every status and field, by \`npm run generate\`.

\`HEAD\` works on each route. A failed token is a result and not an HTTP error: the status is 200 and the body says \`failed\`.

A route with a key asks for the function key on Azure Functions (\`HTTP_AUTH_LEVEL\` changes that), and for \`PLATFORM_HOST_KEY\` on a server, which
refuses to listen beyond loopback without one: header \`x-functions-key\`, \`authorization: Bearer\`, or \`?code=\` with \`+\` written as \`%2B\`.
`

/** The parts of the description that the page shows. */
interface Described {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get: {
          readonly summary: string
          readonly description?: string
          readonly security?: readonly unknown[]
          readonly parameters?: readonly { readonly name: string; readonly description: string }[]
        }
      }
    >
  >
}

/** Every route with its purpose and who may call it, as one Markdown page. */
export function renderRoutes(): string {
  const rows = Object.entries((createOpenApi() as unknown as Described).paths).map(([path, { get }]) => {
    const { summary, description = '', security, parameters = [] } = get
    const queries = parameters.map(({ name, description }) => `<br>\`${name}\`: ${description}`).join('')
    const access = security?.length === 0 ? 'everyone' : 'with a key'
    return `| \`GET ${path}\` | ${[summary, description].filter(Boolean).join('. ')}${queries} | ${access} |`
  })
  return `${introduction}\n| Route | Response | Access |\n|---|---|---|\n${rows.join('\n')}\n`
}
