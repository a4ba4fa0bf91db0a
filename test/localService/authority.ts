// A certificate authority that nobody knows but who is given its certificate; it lives as long as the process.
import type { webcrypto } from 'node:crypto'
import 'reflect-metadata'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

export const certificateKinds = ['valid', 'expired', 'not yet valid', 'wrong host', 'self-signed'] as const
/** What is wrong with a certificate, where something is. */
export type CertificateKind = (typeof certificateKinds)[number]

/** A certificate with its private key, both PEM, as `node:tls` takes them. */
export interface Credentials {
  readonly cert: string
  readonly key: string
}

/** Keys on this curve are made in a moment; RSA ones take a second. */
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 24 * 60 * 60_000

export class Authority {
  readonly #certificate: X509Certificate
  readonly #keys: webcrypto.CryptoKeyPair

  private constructor(certificate: X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#certificate = certificate
    this.#keys = keys
  }

  static async make(): Promise<Authority> {
    const keys = await newKeys()
    const certificate = await X509CertificateGenerator.createSelfSigned({
      name: 'CN=Kourier local certificate authority',
      keys,
      ...lifeOf('valid'),
      signingAlgorithm: algorithm,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    })
    return new Authority(certificate, keys)
  }

  /** What a client has to trust, as PEM. */
  get pem(): string {
    return `${this.#certificate.toString('pem')}\n`
  }

  /**
   * A certificate for a server.
   * @param names host names and IP addresses; a certificate for the wrong host has none of them
   */
  async issue(names: readonly string[], kind: CertificateKind = 'valid'): Promise<Credentials> {
    const keys = await newKeys()
    const isOwn = kind === 'self-signed'
    const signer = isOwn ? keys : this.#keys
    const subject = 'CN=Kourier local service'
    const certificate = await X509CertificateGenerator.create({
      subject,
      issuer: isOwn ? subject : this.#certificate.subject,
      publicKey: keys.publicKey,
      signingKey: signer.privateKey,
      signingAlgorithm: algorithm,
      ...lifeOf(kind),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension((kind === 'wrong host' ? ['elsewhere.test'] : names).map(generalName)),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
        await AuthorityKeyIdentifierExtension.create(signer.publicKey),
      ],
    })
    const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
    return { cert: certificate.toString('pem'), key }
  }
}

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

const generalName = (name: string) => ({ type: /^[\d.]+$|:/.test(name) ? 'ip' : 'dns', value: name }) as const

/** A day of it lies behind, since clocks differ. */
function lifeOf(kind: CertificateKind): { notBefore: Date; notAfter: Date } {
  const [from, to] = { expired: [-30, -1], 'not yet valid': [1, 30] }[kind as string] ?? [-1, 30]
  const inDays = (days: number) => new Date(Date.now() + days * dayMs)
  return { notBefore: inDays(from ?? 0), notAfter: inDays(to ?? 0) }
}
