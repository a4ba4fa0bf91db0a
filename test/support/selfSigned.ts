// A certificate that nobody has vouched for, made on the spot.
import { Authority, type Credentials } from '../localService/authority.ts'

export async function selfSigned(name: string): Promise<Credentials> {
  const authority = await Authority.make()
  return authority.issue([name], 'self-signed')
}
