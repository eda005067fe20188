/** The layers of a request up to an accepted token, in this order. */
export const layers = ['proxy', 'dns', 'tcp', 'tls', 'answer', 'token'] as const

export type Layer = (typeof layers)[number]
