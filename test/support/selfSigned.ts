// A certificate that nobody has vouched for, made on the spot (X.509, RFC 5280 4.1, in DER).
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface SelfSigned {
  readonly key: string
  readonly cert: string
}

export function selfSigned(name: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    subject,
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z'))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subjectAltName(name))),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)])
  const cert = sequence(body, ecdsaWithSha256, der(0x03, signature))
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(cert) }
}

function subjectAltName(name: string): Buffer {
  return sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from(name)))))
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts))

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  // The long form of two bytes serves every length from 128 on, but DER wants the shortest.
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content])
}

const pem = (cert: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${cert.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
