import { randomUUID } from 'node:crypto'
import type { Answer } from '../http/answer.ts'

const version = { 'x-ms-version': '2025-01-05' }

export function xml(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/xml', ...version, ...headers },
    body: `<?xml version="1.0" encoding="utf-8"?>${body}`,
  }
}

export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { ...version, ...headers }, body: '' }
}

export function storageError(status: number, code: string, message: string, detail = ''): Answer {
  const more = detail && `<AuthenticationErrorDetail>${detail}</AuthenticationErrorDetail>`
  const text = `${escapeXml(message)}\nRequestId:${randomUUID()}`
  return xml(status, `<Error><Code>${code}</Code><Message>${text}</Message>${more}</Error>`, {
    'x-ms-error-code': code,
  })
}

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
