import type { AppRequest, AppResponse } from '../lib/base/app.ts'
import { digest } from './access-keys.ts'

/** A copy of the style of src/page, which this folder can't import. */
const style =
  ":root{color-scheme:light dark}body{margin:0;font:1rem/1.45 system-ui,'Segoe UI',Roboto,Arial,sans-serif}main{padding:0 max(1rem,50vw - 37rem)}" +
  'h1{margin:0 0 1rem;padding:.9rem max(1rem,50vw - 37rem);border-bottom:.1875rem solid;color:light-dark(#b0151f,#ff8a83);background:light-dark(#f8e9ea,#251b1f)}' +
  '*{box-sizing:border-box}code,input{font:.9375em ui-monospace,Consolas,monospace}input,button{font-size:1rem;min-height:2.25rem;padding:.25rem .6rem;border:1px solid;border-radius:.3rem}' +
  'form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}input{flex:0 1 24rem;min-width:0}@media(scripting:none){form{display:none}}'

/**
 * Requests this address again with the key in a header, and replaces the document by the response. The key is in the memory of this document
 * only: not in an address, a cookie, a store or the history. The policy of this document stays in force, so the style is adopted and the
 * script is loaded from a blob. A `noscript` would reload the page without the key.
 */
const script = `
const form = document.forms[0]
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const key = form.elements[0].value.trim()
  const say = (text) => { document.querySelector('output').textContent = text }
  try {
    const headers = { accept: 'text/html', 'x-functions-key': key }
    const response = await fetch(location.href, { headers, cache: 'no-store', redirect: 'error' })
    if (response.status === 401) return say('The key is wrong.')
    const text = await response.text()
    if (!response.headers.get('content-type').startsWith('text/html')) {
      const pre = document.createElement('pre')
      pre.textContent = text
      return document.body.replaceChildren(pre)
    }
    const { open } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.open = function (...target) {
      open.apply(this, target)
      this.setRequestHeader('x-functions-key', key)
    }
    const get = fetch
    window.fetch = (url, options) => get(url, { ...options, headers: { 'x-functions-key': key } })
    const page = new DOMParser().parseFromString(text, 'text/html')
    const sheet = new CSSStyleSheet()
    for (const each of page.querySelectorAll('style')) sheet.replaceSync(each.textContent)
    for (const each of page.querySelectorAll('style, noscript')) each.remove()
    document.adoptedStyleSheets = [sheet]
    document.documentElement.replaceWith(page.documentElement)
    for (const { text } of [...document.scripts]) {
      const copy = document.createElement('script')
      copy.src = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
      copy.onload = () => copy.remove()
      document.body.append(copy)
    }
  } catch {
    say('The service did not respond.')
  }
})
`

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Key needed</title>
<style>${style}</style>
<h1>This service needs a key</h1>
<main>
<form>
<label for="key">Key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" required>
<button>Open</button>
<output></output>
</form>
<p>The service has its key from <code>PLATFORM_HOST_KEY</code>, or from the file that <code>PLATFORM_HOST_KEY_PATH</code> names. Ask its operator.
<p>This page sends the key in a header and does not store it: enter it again after a reload. Programs send it in the header
<code>x-functions-key</code>, or as a bearer token. A browser without scripts takes it as <code>?code=KEY</code> in the address
(write <code>+</code> as <code>%2B</code>), which stays in its history and in the logs of proxies.
</main>
<script>${script}</script>
</html>
`

const problem = JSON.stringify({
  type: 'about:blank',
  title: 'Unauthorized',
  status: 401,
  code: 'KEY_INVALID',
  detail:
    'The key is missing or wrong. Send it in the header x-functions-key, as a bearer token, or in the query as ?code=KEY.',
})

const hashOf = (text: string) => `'sha256-${digest(text).toString('base64')}'`

/** Only the script of this page loads another one, from the response that it got with the key: `strict-dynamic`. */
const policy = () =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)} 'strict-dynamic'`,
    "connect-src 'self'",
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The response to a caller without the key: a page for a browser, problem details (RFC 9457) for other clients. */
export function unauthorized({ accept = '' }: AppRequest['headers']): AppResponse {
  const [type, body] = accept.includes('text/html')
    ? ['text/html; charset=utf-8', page]
    : ['application/problem+json', problem]
  const headers = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': policy(),
    'www-authenticate': 'Bearer',
    'content-type': type,
  }
  return { status: 401, headers, body }
}
