// `standardTask`: one failing test, five files to change, three runs of the test; the user allows what may be remembered for the chat.
import type { Mode } from '../../../../src/core/tools/modes.ts'
import { scenarioOf } from '../../../localService/scenario.ts'
import type { ScenarioCase } from './scenarioCases.ts'

const names = ['one', 'two', 'three', 'four', 'five']
const wrong = Object.fromEntries(names.map(name => [`${name}.sh`, `${name}=wrong\n`]))
const check = `${names.map(name => `. ./${name}.sh; test "$${name}" = right || { echo "${name} is wrong"; exit 1; }`).join('\n')}\necho all right\n`

const call = (name: string, given: object) => ({ name, arguments: given })
const testRun = { toolCalls: [call('run_command', { command: 'bash check.sh', why: 'To see what fails.' })] }
const repaired = (path: string) => call('edit_file', { path, edits: [{ old_text: '=wrong', new_text: '=right' }] })
const paths = Object.keys(wrong)

export const standardTask = (mode: Mode): ScenarioCase => ({
  ...{ name: `standard task, ${mode.id}`, mode, question: 'Do the standard task.' },
  files: { ...wrong, 'check.sh': check },
  scenarios: [
    scenarioOf('standard task', {
      ask: 'standard task',
      answers: [
        { toolCalls: [call('search_text', { pattern: 'wrong' }), call('read_file', { path: 'check.sh' })] },
        testRun,
        { toolCalls: paths.map(path => call('read_file', { path })) },
        { toolCalls: paths.slice(0, 3).map(repaired) },
        testRun,
        { toolCalls: paths.slice(3).map(repaired) },
        testRun,
        [{ when: { result: 'all right' }, text: 'All is right.' }, { text: 'It still fails.' }],
      ],
    }),
  ],
  answer: () => ({ is: 'allowed', scope: 'conversation' }),
  ...{ state: 'done', words: /^All is right\.$/ },
  after: Object.fromEntries(paths.map(path => [path, /=right\n$/])),
})
