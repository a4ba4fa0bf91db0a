// The sandbox as commands meet it, on the system's own where there is one; and what is used where it does not hold.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, type TestContext, test } from 'node:test'
import type { PendingCall } from '../../../src/core/tools/approvals.ts'
import type { GuardReport } from '../../../src/core/tools/commandPorts.ts'
import { stateText } from '../../../src/core/tools/commandReport.ts'
import { modes } from '../../../src/core/tools/modes.ts'
import { bubblewrapArguments, guardOf, isKeptFrom, seatbeltProfile } from '../../../src/core/tools/sandboxPolicy.ts'
import { secretFileGlobs } from '../../../src/core/workspace/exclude.ts'
import { editorStorage } from '../../../src/node/commands/editorStorage.ts'
import { guardedPaths } from '../../../src/node/commands/guardedPaths.ts'
import { Sandbox } from '../../../src/node/commands/sandbox.ts'
import { CommandTools, textOf } from '../../support/commandTools.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { callOf, TurnFixture } from '../../support/turnFixture.ts'

const places = { roots: () => [], hidden: () => [] }
const holds = await new Sandbox({ folder: tmpdir(), places }).holds()
const skip = holds ? false : 'this machine has no sandbox that holds'

function folderWithFiles(context: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kourier-sandbox-test-')))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Runs in the sandbox, and returns the output. */
async function inside(tools: CommandTools, command: string): Promise<string> {
  const run = await tools.runs.start('c', { command, folder: tools.folder, isSandboxed: true })
  await run.whenEnded
  return (await run.output.read(0, 100_000)).text
}

const namesOf = (guard: GuardReport | undefined) => guard?.taken.map(({ name }) => name).toSorted()

describe('[A65] in the sandbox', { skip }, () => {
  test('the workspace and a temporary folder are written, and nothing else', async context => {
    const tools = new CommandTools(context)
    const text = await inside(
      tools,
      'echo a > a && echo b > "$TMPDIR/b" && cat a "$TMPDIR/b"; touch ~/x /etc/x /var/x; touch ../x',
    )
    assert.match(text, /^a\nb\n/)
    assert.equal(text.match(/Read-only file system/g)?.length, 3)
    assert.equal(readFileSync(join(tools.folder, 'a'), 'utf8'), 'a\n')
    assert.equal(existsSync(join(tmpdir(), 'b')), false)
    assert.equal(existsSync(join(tools.folder, '..', 'x')), false)
  })

  test('what runs later or decides what may run is not changed', async context => {
    const tools = new CommandTools(context)
    const files = [
      '.git/config',
      '.git/hooks/pre-commit',
      '.vscode/tasks.json',
      'package.json',
      'inner/.envrc',
      'AGENTS.md',
    ]
    for (const file of files) {
      mkdirSync(join(tools.folder, file, '..'), { recursive: true })
      writeFileSync(join(tools.folder, file), 'before')
    }
    const text = await inside(tools, files.map(file => `echo after > ${file}; rm -f ${file}; mv ${file} x`).join('\n'))
    for (const file of files) assert.equal(readFileSync(join(tools.folder, file), 'utf8'), 'before', `${file}: ${text}`)
    await inside(tools, 'rm -rf .git .vscode; mv .vscode other; mkdir .vscode; echo x > .vscode/tasks.json')
    assert.equal(readFileSync(join(tools.folder, '.vscode/tasks.json'), 'utf8'), 'before')
  })

  test('it does not come into being either, and what is made elsewhere is taken away', async context => {
    const tools = new CommandTools(context, { processClock: new FakeClock() })
    const run = await tools.runs.start('c', {
      command:
        'mkdir -p .vscode; echo x > .vscode/settings.json; git init -q; mkdir -p inner dist; git init -q inner; echo x > .envrc; echo {} > dist/package.json; echo 1 > kept',
      folder: tools.folder,
      isSandboxed: true,
    })
    const { guard } = await run.whenEnded
    assert.deepEqual(namesOf(guard), ['.envrc', 'inner/.git'])
    for (const file of ['.vscode', '.git', 'inner/.git', '.envrc'])
      assert.equal(existsSync(join(tools.folder, file)), false, file)
    for (const file of ['kept', 'dist/package.json']) assert.ok(existsSync(join(tools.folder, file)), file)
  })

  test('[T45] secret files and our own storage are not read', async context => {
    const tools = new CommandTools(context)
    for (const file of ['.env', 'server.pem', 'inner/.ssh/id_rsa']) {
      mkdirSync(join(tools.folder, file, '..'), { recursive: true })
      writeFileSync(join(tools.folder, file), 'canary')
    }
    mkdirSync(tools.storage, { recursive: true })
    writeFileSync(join(tools.storage, 'journal'), 'canary')
    const ssh = join(homedir(), '.ssh')
    const text = await inside(
      tools,
      `cat .env server.pem inner/.ssh/* ${tools.storage}/*; ls -A ${ssh}; echo > .env; echo done`,
    )
    assert.doesNotMatch(text, /canary/)
    assert.match(text, /done\n$/)
    assert.equal(readFileSync(join(tools.folder, '.env'), 'utf8'), 'canary')
  })

  test('[T45] what is elsewhere on the machine is not read, in whatever file of the workspace a key is', async context => {
    const tools = new CommandTools(context)
    const other = mkdtempSync(join(homedir(), '.kourier-other-'))
    context.after(() => rmSync(other, { recursive: true }))
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\ncanary\n'
    writeFileSync(join(other, 'notes.txt'), 'canary')
    writeFileSync(join(tools.folder, '..', 'notes.txt'), 'canary')
    mkdirSync(join(tools.folder, 'docs'))
    writeFileSync(join(tools.folder, 'docs/old.txt'), `the old key\n${key}`)
    writeFileSync(join(tools.folder, 'docs/new.txt'), 'plain')
    const command = `cat ${other}/notes.txt ../notes.txt docs/old.txt docs/new.txt; ls -A ~ ${tmpdir()}`
    const text = await inside(tools, command)
    assert.doesNotMatch(text, /canary/)
    assert.match(text, /\nplain/)
    writeFileSync(join(tools.folder, 'docs/new.txt'), key)
    assert.doesNotMatch(await inside(tools, command), /canary/)
  })

  test('[T45] a repository that the workspace is a part of is read, without its secrets', async context => {
    const top = folderWithFiles(context, {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': '[remote "o"]\n\turl = https://me:canary@git.example/x\n',
      '.env': 'canary',
      'node_modules/shared/index.js': 'shared',
      'packages/app/a.ts': 'own',
      'packages/other/.npmrc': '//r.example/:_authToken=canary\n',
      'packages/other/b.ts': 'other',
    })
    const tools = new CommandTools(context, { places: { roots: () => [join(top, 'packages/app')] } })
    const run = await tools.runs.start('c', {
      command:
        'cat ../../node_modules/shared/index.js a.ts ../other/b.ts ../../.git/HEAD; cat ../../.env ../../.git/config ../other/.npmrc; echo x > ../other/b.ts',
      folder: join(top, 'packages/app'),
      isSandboxed: true,
    })
    await run.whenEnded
    const { text } = await run.output.read(0, 10_000)
    assert.match(text, /^sharedownotherref: refs\/heads\/main\n/)
    assert.doesNotMatch(text, /canary/)
    assert.equal(readFileSync(join(top, 'packages/other/b.ts'), 'utf8'), 'other')
  })

  test('[T45] what git keeps of secret files is not read, also not of one that was committed or staged meanwhile', async context => {
    const tools = new CommandTools(context)
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: tools.folder, stdio: 'pipe' })
    const write = (text: string, path: string) => writeFileSync(join(tools.folder, path), text)
    git('init', '-q')
    write('plain\n', 'a.txt')
    git('add', '-A')
    git('commit', '-qm', 'first')
    const all = 'for o in $(git rev-list --all --objects | cut -c1-40); do git cat-file -p $o; done; git log -p --all'
    const run = async (command: string) => {
      const started = await tools.runs.start('c', { command, folder: tools.folder, isSandboxed: true })
      await started.whenEnded
      return { text: (await started.output.read(0, 100_000)).text, state: stateText(started, 'ended') }
    }
    const plain = await run(`git status && ${all}`)
    assert.match(plain.text, /nothing to commit.*\+plain/s)
    assert.doesNotMatch(plain.state, /git cannot/)

    write('TOKEN=canary\n', '.env')
    git('add', '-A')
    const staged = await run(`${all}; git show :.env`)
    assert.doesNotMatch(staged.text, /canary/)
    git('commit', '-qm', 'second')
    git('rm', '-q', '.env')
    git('commit', '-qm', 'third')
    const removed = await run(`git show HEAD~1:.env; ${all}; cat .git/objects/*/* | wc -c`)
    assert.doesNotMatch(removed.text, /canary/)
    assert.match(removed.text, /\n0\n$/)
    assert.match(removed.state, /In the sandbox git cannot read the commits/)
    assert.doesNotMatch((await run('ls')).state, /git cannot/)
    git('checkout', '-q', '--detach', 'HEAD~2')
    git('branch', '-q', '-D', 'master')
    assert.doesNotMatch((await run(`git show HEAD@{1}~1:.env; ${all}`)).text, /canary/)
    await tools.call({ command: 'git status', why: 'x' })
  })

  test('[T45] the files in folders of builds that look secret are not read, and what is compiled is', async context => {
    const tools = new CommandTools(context)
    const secrets = [
      ...['dist/credentials.json', 'build/secrets.yaml', 'out/service-account-x.json', 'target/app.tfstate'],
      ...['coverage/.netrc', 'dist/.npmrc', 'dist/.git-credentials', 'dist/.aws/credentials', 'dist/.env'],
    ]
    writeFileSync(join(tools.folder, '.gitignore'), 'dist\nbuild\nout\ntarget\ncoverage\n')
    for (const file of [...secrets, 'dist/secretValues.js']) {
      mkdirSync(join(tools.folder, file, '..'), { recursive: true })
      writeFileSync(join(tools.folder, file), file.endsWith('.js') ? 'code' : '//r.example/:_authToken=canary\n')
    }
    const text = await inside(
      tools,
      `cat ${secrets.join(' ')}; cat dist/secretValues.js; echo x > dist/secretValues.js`,
    )
    assert.doesNotMatch(text, /canary/)
    assert.match(text, /code/)
    assert.equal(readFileSync(join(tools.folder, 'dist/secretValues.js'), 'utf8'), 'x\n')
  })

  test('[T45] what the editor and its extensions keep is not read, of this workspace or another', async context => {
    const tools = new CommandTools(context, {
      places: {
        hidden: () =>
          editorStorage({
            all: join(tools.folder, 'User/globalStorage/kourier.kourier'),
            workspace: join(tools.folder, 'User/workspaceStorage/one/kourier.kourier'),
          }),
      },
    })
    const files = [
      'workspaceStorage/one/kourier.kourier/blobs/ab/1',
      'workspaceStorage/two/kourier.kourier/blobs/ab/1',
      'workspaceStorage/two/other.chat/state',
      'globalStorage/other.chat/state',
      'History/a/1.env',
      '../Backups/2/file/3',
    ].map(path => join(tools.folder, 'User', path))
    for (const file of files) {
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, 'canary')
    }
    const text = await inside(tools, `cat ${files.join(' ')}`)
    assert.doesNotMatch(text, /canary/)
  })

  test('[A65] the user’s own globs hold: what is protected is not changed, what is excluded is not read', async context => {
    const tools = new CommandTools(context, {
      places: { globs: () => ({ protected: ['db/**', '*.lock.txt'], excluded: ['private/**', '*.draft'] }) },
    })
    for (const file of ['db/schema.sql', 'a.lock.txt', 'private/deep/x.ts', 'letter.draft', 'free.ts']) {
      mkdirSync(join(tools.folder, file, '..'), { recursive: true })
      writeFileSync(join(tools.folder, file), `canary of ${file}\n`)
    }
    const text = await inside(
      tools,
      'cat private/deep/x.ts letter.draft; for f in db/schema.sql db/new.sql a.lock.txt free.ts; do echo x > $f; done',
    )
    assert.doesNotMatch(text, /canary/)
    const after = ['db/schema.sql', 'a.lock.txt', 'free.ts'].map(file => readFileSync(join(tools.folder, file), 'utf8'))
    assert.deepEqual(after, ['canary of db/schema.sql\n', 'canary of a.lock.txt\n', 'x\n'])
    assert.equal(existsSync(join(tools.folder, 'db/new.sql')), false)
  })

  test('[T61] there is no network, and no service of the machine', async context => {
    const tools = new CommandTools(context)
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    context.after(() => server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const script = `fetch("http://127.0.0.1:${port}").then(() => console.log("reached"), fault => console.log(fault.cause.code))`
    assert.match(
      await inside(tools, `${process.execPath} -e '${script}'; ls -A /run | wc -l; ls -A /tmp | wc -l`),
      /^ECONNREFUSED\n0\n/,
    )
    assert.equal(requests, 0)
  })

  test('[T61] no socket of a service is reached, in the workspace or with the system, by a stream or by a message', async context => {
    const tools = new CommandTools(context)
    let connections = 0
    const server = createServer().on('connection', () => connections++)
    server.listen(join(tools.folder, 'service.sock'))
    await once(server, 'listening')
    context.after(() => server.close())
    const connect = `require("net").connect("service.sock").on("connect",()=>console.log("reached")).on("error",({code})=>console.log(code))`
    const pipes = `require("child_process").execFile("echo",["child"],(f,out)=>console.log(f??out.trim()));require("net").createServer().listen(0,"127.0.0.1",function(){require("net").connect(this.address().port,"127.0.0.1",()=>{console.log("own");process.exit()})})`
    const text = await inside(tools, `${process.execPath} -e '${connect}'; ${process.execPath} -e '${pipes}'`)
    assert.match(text, /^EPERM\n/)
    // What runs within the sandbox works.
    assert.match(text, /own/)
    assert.equal(connections, 0)
  })

  test('[A55] a stop ends everything in it', async context => {
    const tools = new CommandTools(context)
    const run = await tools.runs.start('c', {
      command: 'sleep 1234.5 & setsid sleep 1234.5 & echo begun; wait',
      folder: tools.folder,
      isSandboxed: true,
    })
    await new Promise<void>(resolve => run.onOutput(({ settled }) => settled.includes('begun') && resolve()))
    await run.stop()
    assert.equal(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes('sleep 1234.5'), false)
  })
})

describe('[A66] where it does not hold, it is not used', () => {
  async function holdsWith(context: TestContext, script: string): Promise<boolean> {
    const folder = mkdtempSync(join(tmpdir(), 'kourier-sandbox-test-'))
    context.after(() => rmSync(folder, { recursive: true, force: true }))
    const program = join(folder, 'bwrap')
    writeFileSync(program, `#!/bin/sh\n${script}\n`)
    chmodSync(program, 0o755)
    return new Sandbox({ folder, places, program }).holds()
  }
  const pretending = 'while [ "$1" != -- ]; do if [ "$1" = --chdir ]; then cd "$2"; fi; shift; done; shift; exec "$@"'

  test('a program that only pretends is found out', async context => {
    assert.equal(await holdsWith(context, pretending), false)
  })

  test('neither is one that fails, or that runs nothing', async context => {
    assert.equal(await holdsWith(context, 'exit 1'), false)
    assert.equal(await holdsWith(context, 'echo done'), false)
  })

  test('one that allows the sockets of services only is found out too', { skip }, async context => {
    const program = ['/usr/bin/bwrap', '/usr/local/bin/bwrap'].find(existsSync)
    assert.equal(await holdsWith(context, `[ "$1" = --seccomp ] && shift 2; exec ${program} "$@"`), false)
    assert.equal(await holdsWith(context, `exec ${program} "$@"`), true)
  })

  test('one that allows the network only is found out too', { skip }, async context => {
    const withNetwork = 'exec /usr/bin/bwrap --unshare-user --unshare-pid "$@"'
    const script = `set -- "$@"; for one; do shift; [ "$one" = --unshare-all ] || set -- "$@" "$one"; done; ${withNetwork}`
    assert.equal(await holdsWith(context, script), false)
  })
})

describe('the mode', { skip }, () => {
  test('runs without a question inside; what the sandbox keeps from its work is asked about, and then runs outside', async context => {
    const tools = new CommandTools(context)
    const asked: PendingCall[] = []
    await using turn = await TurnFixture.start({
      tools: [tools.run],
      mode: modes.sandbox,
      ask: async call => {
        asked.push(call)
        return asked.length === 1 ? { is: 'allowed', scope: 'once' } : { is: 'denied' }
      },
    })
    const run = (command: string) => callOf('run_command', { command, why: 'x' })
    const outer = mkdtempSync(join(homedir(), '.kourier-outer-'))
    context.after(() => rmSync(outer, { recursive: true }))
    turn.service.replies.add(
      {
        toolCalls: [
          run('echo a > a; cat a'),
          run('exit 3'),
          run(`echo b > ${outer}/b && echo ended`),
          run(`false || touch ${outer}/c`),
        ],
      },
      { text: 'Done.' },
    )
    await turn.ask('q')
    assert.deepEqual(
      asked.map(({ prepared }) => prepared.concerns.map(({ is }) => is)),
      [['no-sandbox'], ['no-sandbox']],
    )
    const [first, second, third, fourth] = turn.results
    assert.match(String(first), /^ok,Command 1 ended in the sandbox after .*\na\n$/)
    assert.match(String(second), /^ok,Command 2 ended in the sandbox after .* exit code 3/)
    assert.match(String(third), /^ok,Command 4 ended after/)
    assert.match(
      String(fourth),
      /^denied,The user declined.*Command 5 ended in the sandbox .*No such file or directory/s,
    )
    assert.equal(readFileSync(join(outer, 'b'), 'utf8'), 'b\n')
  })

  test('a call that was prepared outside is not carried out without a question', async context => {
    const tools = new CommandTools(context)
    const prepared = await tools.prepare({ command: 'touch x', why: 'x' })
    assert.ok(prepared.is === 'ready')
    const call = {
      conversation: 'c',
      turn: 't',
      answer: 'a',
      part: 'p',
      approved: false,
      boundTo: prepared.boundTo,
      record: async () => {},
    }
    const output = await tools.run.run({ command: 'touch x', why: 'x' }, call, new AbortController().signal)
    assert.equal(output.isOutdated, true)
    assert.equal(textOf(output), '')
    assert.equal(existsSync(join(tools.folder, 'x')), false)
  })
})

describe('the policy', () => {
  const policy = {
    temporary: '/tmp/own',
    home: '/home/ada',
    readable: ['/home/ada/.nvm', '/home/ada/.ssh'],
    writable: ['/work/a b'],
    guarded: ['/work/a b/.git'],
    reopened: ['/work/a b/node_modules/.cache'],
    hiddenFolders: ['/home/ada/.ssh'],
    hiddenFiles: ['/work/a b/.env'],
  }

  test('is said to bubblewrap in an order in which nothing is opened again', () => {
    const words = bubblewrapArguments(policy, '/work/a b/src')
    const at = (...wanted: string[]) =>
      words.findIndex((_, start) => wanted.every((word, next) => words[start + next] === word))
    const order = [
      at('--ro-bind-try', '/usr', '/usr'),
      at('--ro-bind-try', '/home/ada/.nvm', '/home/ada/.nvm'),
      at('--tmpfs', '/home/ada/.ssh'),
      at('--bind', '/work/a b', '/work/a b'),
      at('--ro-bind', '/work/a b/.git', '/work/a b/.git'),
      at('--bind', '/work/a b/node_modules/.cache', '/work/a b/node_modules/.cache'),
      at('--ro-bind', '/dev/null', '/work/a b/.env'),
    ]
    assert.ok(!order.includes(-1))
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    )
    assert.deepEqual(words.slice(-3), ['--chdir', '/work/a b/src', '--'])
    assert.ok(words.includes('--unshare-all'))
  })

  test('is said to macOS with what is denied last', () => {
    const lines = seatbeltProfile(policy).split('\n')
    assert.equal(lines[1], '(deny default)')
    assert.doesNotMatch(lines.join('\n'), /allow network/)
    assert.equal(lines.at(-4), '(deny file-write* (subpath "/work/a b/.git"))')
    assert.equal(lines.at(-3), '(allow file-write* (subpath "/work/a b/node_modules/.cache"))')
    assert.match(lines.at(-2) ?? '', /^\(deny file-write\* \(regex #"\/\(\\\.git\|\\\.vscode\)/)
    assert.equal(lines.at(-1), '(deny file-read* file-write* (subpath "/home/ada/.ssh") (subpath "/work/a b/.env"))')
  })

  test('[T50] guards what is protected in a folder that is named like one of a build, but where git ignores the folder', async context => {
    const files = Object.fromEntries(
      ['build/Makefile', 'build/AGENTS.md', 'out/.github/workflows/ci.yml', 'a/target/.envrc', 'dist/Makefile'].map(
        path => [path, 'before'],
      ),
    )
    const guarded = async (folder: string) => (await guardedPaths(folder))?.map(({ relative }) => relative).toSorted()
    const plain = ['a/target/.envrc', 'build/AGENTS.md', 'build/Makefile', 'dist/Makefile', 'out/.github']
    assert.deepEqual(await guarded(folderWithFiles(context, files)), plain)
    const ignored = folderWithFiles(context, { ...files, '.gitignore': '/build\nout/\n', 'a/.gitignore': 'target\n' })
    // Settings of an environment look secret wherever they are.
    assert.deepEqual(await guarded(ignored), ['a/target/.envrc', 'dist/Makefile'])
    const top = folderWithFiles(context, { '.git/HEAD': 'x', '.gitignore': 'build\n', 'app/build/Makefile': '' })
    mkdirSync(join(top, 'app/.git'))
    assert.deepEqual(await guarded(join(top, 'app')), ['.git'])
  })

  test('guards what is protected, and hides what is secret', () => {
    const paths = ['.git', 'a/.git', '.vscode', 'package.json', '.env', 'a/server.key', '.docker', 'src/a.ts']
    const hidden = ['hidden', 'hidden', 'hidden', undefined]
    assert.deepEqual(
      paths.map(path => guardOf(path)),
      ['guarded', 'guarded', 'guarded', 'guarded', ...hidden],
    )
  })

  test('[T45] [A65] hides of a folder for secrets what is not code, also by the setting', async context => {
    const files = {
      'src/secrets/index.ts': 'x\n',
      'src/secrets/prod.yaml': 'x\n',
      '.ssh/a.ts': 'x\n',
      'prod.env': 'x\n',
    }
    const folder = folderWithFiles(context, { ...files, '..env.swp': 'x\n', 'a/secretary/x': 'x\n' })
    const expected = ['..env.swp hidden', '.ssh hidden', 'prod.env hidden', 'src/secrets/prod.yaml hidden']
    for (const excluded of [[], secretFileGlobs]) {
      const found = await guardedPaths(folder, { globs: { protected: [], excluded } })
      assert.deepEqual(found?.map(({ relative, guard }) => `${relative} ${guard}`).toSorted(), expected)
    }
    assert.equal(guardOf('a', { protected: [], excluded: ['a/**', '*.md'] }, { isFolder: true }), 'hidden')
  })

  test('guards a repository that another folder has the rest of', async context => {
    const folder = folderWithFiles(context, { 'w/HEAD': 'x\n', 'w/commondir': '../a\n' })
    assert.deepEqual(
      (await guardedPaths(folder))?.map(({ relative }) => relative),
      ['w'],
    )
  })

  test('[T45] hides a protected file that has a token as well', async context => {
    const folder = folderWithFiles(context, {
      '.npmrc': '//r.example/:_authToken=canary\n',
      'plain/.npmrc': 'save-exact=true\n',
      '.git/config': '[remote "o"]\n\turl = https://me:canary@git.example/x\n',
      'inner/.git/config': '[core]\n',
    })
    const found = (await guardedPaths(folder))?.map(({ relative, guard }) => `${relative} ${guard}`)
    assert.deepEqual(found?.toSorted(), [
      ...['.git guarded', '.git/config hidden', '.npmrc hidden', 'inner/.git guarded', 'plain/.npmrc guarded'],
    ])
  })

  test('[T50] a protected file in the place of one that was moved away with its folder is taken away', async context => {
    const root = folderWithFiles(context, { 'app/package.json': '{}\n' })
    const storage = folderWithFiles(context, {})
    const sandbox = new Sandbox({
      folder: storage,
      places: { roots: () => [root], hidden: () => [] },
      program: '/bin/true',
    })
    const entered = await sandbox.enter('/bin/sh', [], root)
    context.after(() => sandbox.dispose())
    assert.ok(entered)
    renameSync(join(root, 'app'), join(root, 'moved'))
    mkdirSync(join(root, 'app'))
    for (const path of ['app/package.json', 'new/package.json']) {
      mkdirSync(join(root, path, '..'), { recursive: true })
      writeFileSync(join(root, path), '{"scripts":{}}\n')
    }
    const { taken } = await entered.leave()
    assert.deepEqual(
      taken.map(({ name }) => name),
      ['app/package.json'],
    )
    assert.equal(existsSync(join(root, 'app/package.json')), false)
    assert.ok(existsSync(join(root, 'new/package.json')))
  })

  test('knows the reports of programs that were kept from something', () => {
    for (const text of [
      'touch: /x: Read-only file system',
      'Error: EACCES: permission denied',
      'getaddrinfo EAI_AGAIN registry',
      'curl: (6) Could not resolve host: a.b',
    ])
      assert.ok(isKeptFrom(text), text)
    for (const text of ['AssertionError: 1 !== 2', 'make: *** [test] Error 1']) assert.ok(!isKeptFrom(text), text)
  })
})
