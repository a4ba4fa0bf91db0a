// Which files are protected in every spelling, and which text makes the editor fetch a schema.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addedRemoteSchemas, isInHomeDotFolder, isProtected } from '../../../src/core/workspace/protectedPaths.ts'

test('[T50] [T52] what changes the rules is protected, in any case, at any depth, whether it exists or not', () => {
  const paths = [
    ...[
      '.vscode/settings.json',
      '.VSCode/tasks.json',
      'a/.vscode/x',
      'x.code-workspace',
      'X.Code-Workspace',
      '.git/hooks/x',
    ],
    ...[
      '.git',
      '.gitattributes',
      '.github/workflows/ci.yml',
      '.husky/pre-commit',
      '.envrc',
      '.env',
      '.env.local',
      '.npmrc',
    ],
    ...[
      'package.json',
      'sub/package.json',
      'package-lock.json',
      'pnpm-lock.yaml',
      'Cargo.lock',
      '.mcp.json',
      'mcp.json',
    ],
    ...[
      '.cursor/rules/a.md',
      '.cursorrules',
      '.claude/settings.json',
      'CLAUDE.md',
      'AGENTS.md',
      'a/Agents.md',
      '.roo/x',
    ],
    ...['.clinerules', '.clinerules/x.md', '.windsurfrules', '.devcontainer/devcontainer.json', '.devcontainer.json'],
    ...['.bashrc', '.yarnrc.yml', '.kourier/x', '.codex/config.toml', '.gitlab-ci.yml', '.idea/workspace.xml'],
  ]
  paths.push(
    ...['Makefile', 'sub/conftest.py', 'setup.py', 'build.rs', '.cargo/config.toml', 'CMakeLists.txt', 'cmake/x.cmake'],
    ...['build.gradle', 'app/build.gradle.kts', 'gradle/wrapper/gradle-wrapper.properties', 'gradlew', 'Jenkinsfile'],
    ...['azure-pipelines.yml', '.githooks/pre-push', 'skills/x/SKILL.md', 'docs/style.instructions.md', 'x/tasks.json'],
  )
  paths.push(
    ...[
      '.v\u017fcode/tasks.json',
      '.gi\u200ct/hooks/x',
      'pac\u212aage.json',
      '.yarn/releases/yarn.cjs',
      'CLAUDE.local.md',
    ],
    ...['eslint.config.mjs', 'app/vitest.config.ts', '.eslintrc.cjs', '.pylintrc', '.opencode/x', 'opencode.json'],
  )
  paths.push(
    ...['.eslintrc', 'app/.eslintrc.json', '.prettierrc.yml', '.stylelintrc', '.mocharc.json', '.lintstagedrc.json'],
    ...['pyproject.toml', 'setup.cfg', 'mypy.ini', '.flake8', 'pytest.ini', 'tox.ini', 'Cargo.toml', '.rubocop.yml'],
    ...['rust-toolchain.toml', 'app/App.csproj', 'x.props', 'Directory.Packages.targets', 'Package.swift', 'mix.exs'],
    ...['pom.xml', 'composer.json', 'phpstan.neon.dist', '.php-cs-fixer.dist.php', 'x.gemspec', '.Rprofile'],
    ...['node_modules/eslint/lib/api.js', 'a/node_modules/.bin/tsc', '.venv/bin/python', 'venv/lib/x.py'],
  )
  paths.push(
    ...['buildSrc/src/main/kotlin/x.kt', 'rebar.config.script', 'cabal.project.local'],
    ...['hie.yaml', '.markdownlint.cjs', '.markdownlint-cli2.mjs', '.markdownlint.jsonc', 'cspell.json', 'cspell.yaml'],
    ...[
      'vitest.workspace.ts',
      'karma.conf.js',
      'app/wdio.conf.ts',
      'gulpfile.js',
      'Gruntfile.js',
      'gulpfile.babel.mjs',
    ],
    ...['.hg/hgrc', '.hgrc', '.jj/repo/config.toml', 'mise.toml', '.mise.toml', '.mise.local.toml', 'mise.ci.toml'],
    ...['.mise/config.toml', 'mise/config.toml', '.config/mise/config.local.toml', 'mise/conf.d/a.toml'],
    ...[
      'hooks/pre-commit',
      'ci/hooks/commit-msg',
      'hooks/pre-push.sh',
      '.git-hooks/x',
      '.hooks/pre-commit',
      'git-hooks/x',
    ],
    ...['.bash_aliases', '.zlogout', '.xinitrc', '.tmux.conf', '.emacs.d/init.el', '.vim/plugin/x.vim'],
    ...['.config/autostart/x.desktop', '.config/fish/conf.d/x.fish', '.config/systemd/user/x.service'],
    ...['buildspec.yml', 'cloudbuild.yaml', '.gitlab/ci.yml', '.semaphore/semaphore.yml', '.build.yml', 'bitrise.yml'],
    ...['wercker.yml', 'netlify.toml', 'action.yml', '.gitpod.yml', 'lefthook-local.yml', '.lefthook-local.yml'],
    ...[
      'lefthook.toml',
      '.bsp/x.json',
      '.vs/tasks.vs.json',
      'tasks.vs.json',
      'x.sublime-project',
      '.storybook/main.ts',
    ],
    ...['Setup.hs', 'defs.bzl', 'BUILD.bazel', 'nx.json', 'omnisharp.json', '.ycm_extra_conf.py', '.claude.json'],
    ...[
      '.windsurf/rules/x.md',
      '.eslintplugin/x.js',
      'eslint-local-rules.js',
      'x.runsettings',
      '.ropeproject/config.py',
    ],
  )
  for (const path of paths) assert.ok(isProtected(path), path)
  for (const path of [
    'src/a.ts',
    'docs/package.md',
    'vscode/x.ts',
    'environment.ts',
    'a/git.ts',
    'claude.ts',
    'src/hooks/a.ts',
    'src/hooks/useUpdate.ts',
    'hooks/update.ts',
    'hooks/README.md',
    'src/mise/a.ts',
    'src/config.ts',
    'docs/markdownlint.md',
    'app/src/settings/a.ts',
    'src/gitlab/ci.yml',
    'src/workspace.ts',
    'src/action.ts',
    'src/autostart/a.ts',
    'src/karma.ts',
    'make.ts',
    'gradle.ts',
    'src/arc.json',
    'tsconfig.json',
    'docs/node_modules.md',
    'src/props.ts',
  ])
    assert.ok(!isProtected(path), path)
})

test('a folder of the home that begins with a dot is protected', () => {
  assert.ok(isInHomeDotFolder('/home/me/.config/x', '/home/me'))
  assert.ok(!isInHomeDotFolder('/home/me/work/x', '/home/me'))
})

test('[T51] a remote schema is found in every form in which an editor reads it, if it is new', () => {
  const hostile = [
    '{ "$schema": "https://evil.example/s.json" }',
    "{ '$schema': 'http://evil.example/s' }",
    '{"$schema" : "//evil.example/s"}',
    '{"$schema":"https:\\/\\/evil.example\\/s"}',
    '{"\\u0024schema": "https://evil.example/s"}',
    '# yaml-language-server: $schema=https://evil.example/s',
    '$schema: https://evil.example/s',
    '<a xsi:schemaLocation="urn:a https://evil.example/s">',
  ]
  for (const text of hostile) assert.equal(addedRemoteSchemas('', text).length, 1, text)
  assert.deepEqual(addedRemoteSchemas(hostile[0] ?? '', `${hostile[0]}\n`), [])
  assert.deepEqual(addedRemoteSchemas('', '{ "$schema": "./local.json", "url": "https://example.com" }'), [])
})
