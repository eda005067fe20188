import { createHash } from 'node:crypto'

/** Every feature a page could ask the browser for and this one never does. Copying the report needs clipboard-write. */
const deniedFeatures = [
  'accelerometer',
  'autoplay',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

/** The headers of a page that consists of itself, one style and one script, each known to the browser by its hash. */
export function pageHeaders(style: string, script: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src '${sourceHash(style)}'`,
    `script-src '${sourceHash(script)}'`,
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
    // Says what frame-ancestors says to browsers and scanners that read nothing else.
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': deniedFeatures.map((feature) => `${feature}=()`).join(', '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}

/** The source expression that lets one inline block through (https://www.w3.org/TR/CSP3/#external-hash). */
function sourceHash(text: string): string {
  return `sha256-${hashOf(text)}`
}

/** SHA-256 in base64. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
