// What the filter of sockets answers to the calls of programs, on each architecture.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { socketFilter } from '../../../src/core/tools/socketFilter.ts'

/** As the kernel carries it out. */
function answerTo(filter: Uint8Array, call: { architecture: number; number: number; first?: number; second?: number }) {
  const words = new Map([
    [0, call.number],
    [4, call.architecture],
    [16, call.first ?? 0],
    [24, call.second ?? 0],
  ])
  const steps = new DataView(filter.buffer)
  let value = 0
  for (let at = 0; ; at++) {
    const [code, operand] = [steps.getUint16(8 * at, true), steps.getUint32(8 * at + 4, true)]
    const jump = (isSo: boolean) => steps.getUint8(8 * at + (isSo ? 2 : 3))
    if (code === 0x06) return operand
    if (code === 0x20) value = words.get(operand) ?? 0
    else if (code === 0x54) value &= operand
    else if (code === 0x15) at += jump(value === operand)
    else if (code === 0x35) at += jump(value >= operand)
    else throw new Error(`an unknown step ${code}`)
  }
}

const [allowed, refused, killed, unknown] = [0x7fff0000, 0x00050001, 0x80000000, 0x00050026]

test('[T61] sockets of services, message pairs, other kinds of calls and rings are refused; the rest is allowed', () => {
  for (const [name, architecture, socket, socketpair] of [
    ['x64', 0xc000003e, 41, 53],
    ['arm64', 0xc00000b7, 198, 199],
  ] as const) {
    const filter = socketFilter(name)
    assert.ok(filter)
    const answer = (number: number, first = 0, second = 0, own = architecture as number) =>
      answerTo(filter, { architecture: own, number, first, second })
    // IPv4, IPv6, network interfaces; services of the machine, its host, cryptography.
    assert.deepEqual(
      [2, 10, 16, 1, 40, 38].map(family => answer(socket, family, 1)),
      [allowed, allowed, allowed, refused, refused, refused],
    )
    // Also with the flag that closes it for child processes.
    const types = [1, 5, 0x80001, 2, 3, 0x80002]
    assert.deepEqual(
      types.map(type => answer(socketpair, 1, type)),
      [allowed, allowed, allowed, refused, refused, refused],
    )
    assert.deepEqual(
      [answer(0), answer(1), answer(425), answer(0x40000029, 1), answer(socket, 2, 1, 0x40000003)],
      [allowed, allowed, unknown, unknown, killed],
    )
  }
  assert.equal(socketFilter('riscv64'), undefined)
})
