// A window that starts commands, which a test kills: run with the folder of the windows and that of the commands.
import process from 'node:process'
import { systemClock } from '../../src/base/clock.ts'
import { SystemCommands } from '../../src/node/commands/systemCommands.ts'

const [, , folder = '', work = ''] = process.argv
const commands = new SystemCommands({ folder, clock: systemClock })
// The first process of one group has ended; the other waits.
const first = await commands.start({ command: 'sleep 300 &', folder: work })
await first.end
await commands.start({ command: 'exec sleep 300', folder: work })
await commands.whenRecorded()
process.stdout.write('ready\n')
