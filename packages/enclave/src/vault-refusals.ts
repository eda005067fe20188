import { type EnclaveRequest, type EnclaveResponse, type ErrorText, refusal } from './http/exchange.ts'

export const refuse = (...text: ErrorText): EnclaveResponse => refusal('vault', ...text)
export const notFound = (code: string): EnclaveResponse => refuse(404, code, 'This vault has nothing with this name.')

export const refuseOtherThanTexts = (body: Readonly<Record<string, unknown>>, ...names: readonly string[]) => {
  const wrong = names.find((name) => typeof body[name] !== 'string')
  return wrong === undefined ? undefined : refuse(400, 'BadParameter', `The parameter ${wrong} must be a text.`)
}

export function unsupported({ method, path }: EnclaveRequest, what = `${method} ${path}`): EnclaveResponse {
  return refuse(501, 'NotImplemented', `The vault of the enclave does not support ${what}.`)
}
