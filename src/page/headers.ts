import { createHash } from 'node:crypto'

/** Browser features that this page never uses. Copying the report needs clipboard-write. */
const deniedFeatures =
  'accelerometer autoplay camera clipboard-read display-capture encrypted-media geolocation gyroscope hid magnetometer microphone midi ' +
  'payment picture-in-picture publickey-credentials-get screen-wake-lock serial usb xr-spatial-tracking'

/** The headers of a page with one inline style and one inline script, which the policy allows by their hashes. */
export function pageHeaders(style: string, script: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    // https://www.w3.org/TR/CSP3/#external-hash
    `style-src 'sha256-${hashOf(style)}'`,
    `script-src 'sha256-${hashOf(script)}'`,
    "connect-src 'self'",
    // The icon of the browser's tab is inline too.
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // The same rule as frame-ancestors, for browsers and scanners that know only this header.
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': deniedFeatures
      .split(' ')
      .map((feature) => `${feature}=()`)
      .join(', '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}

/** SHA-256 in base64. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
