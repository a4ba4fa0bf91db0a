// `isProtected`: files that change what runs, now or with the next build, or who may act: their changes are always asked about.

/** What is in these are rules for programs, or keys. */
const ruleFolders = [
  ...['.vscode', '.git', '.idea', '.devcontainer', '.github', '.husky', '.cursor', '.claude', '.gemini', '.roo'],
  ...['.continue', '.kiro', '.amazonq', '.codex', '.kourier', '.agents', '.circleci', '.ssh', '.gnupg', '.aws'],
  ...[
    '.githooks',
    '.buildkite',
    '.cargo',
    '.mvn',
    '.zed',
    '.fleet',
    '.nova',
    '.teamcity',
    '.woodpecker',
    '.forgejo',
    '.gitea',
    '.yarn',
    '.opencode',
    '.junie',
    '.qwen',
    '.trae',
    '.augment',
    '.factory',
    '.goose',
    '.openhands',
    '.crush',
  ],
  ...['.hg', '.svn', '.jj', '.bzr', '.git-hooks', '.hooks', '.mise', '.gitlab', '.semaphore', '.builds'],
  ...['.vs', '.theia', '.settings', '.metals', '.bloop', '.bsp', '.storybook', '.idx', '.nvim', '.direnv', '.cody'],
  ...['.tabnine', '.windsurf', '.emacs.d', '.vim', '.oh-my-zsh', '.eslintplugin', '.phan', '.ropeproject', '.jedi'],
  ...['.elixir_ls', '.ruby-lsp', 'launchagents', 'launchdaemons'],
  ...['.clj-kondo', '.lsp', '.dart_tool', '.bundle', '.pnp', '.vscode-test', '.ipython', '.jupyter'],
]

/** What is in these runs as soon as an extension of the editor looks at a file beside them. */
const packageFolders = ['node_modules', 'bower_components', '.venv', 'venv', 'site-packages']

const folders = [...ruleFolders, ...packageFolders, 'git-hooks', 'buildsrc']

const names = [
  ...['.gitattributes', '.gitmodules', '.gitlab-ci.yml', '.gitconfig', '.pre-commit-config.yaml', '.envrc', '.npmrc'],
  ...['.pnpmfile.cjs', 'package.json', 'mcp.json', '.mcp.json', '.cursorrules', 'claude.md', 'agents.md', 'gemini.md'],
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'],
  ...['cargo.lock', 'poetry.lock', 'uv.lock', 'pipfile.lock', 'gemfile.lock', 'composer.lock', 'go.sum', 'flake.lock'],
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.profile', '.zshrc', '.zshenv', '.zprofile'],
  ...['.zlogin', '.cshrc', '.tcshrc', '.kshrc', '.inputrc', 'config.fish', 'profile.ps1'],
  ...['microsoft.powershell_profile.ps1', '.netrc', '.pypirc'],
  ...['makefile', 'gnumakefile', 'conftest.py', 'setup.py', 'build.rs', 'cmakelists.txt', 'cmakepresets.json'],
  ...['cmakeuserpresets.json', 'gradlew', 'gradlew.bat', 'gradle.properties', 'mvnw', 'mvnw.cmd', 'rakefile'],
  ...['jenkinsfile', '.travis.yml', 'appveyor.yml', '.appveyor.yml', '.drone.yml', '.woodpecker.yml', '.cirrus.yml'],
  ...['skill.md', 'copilot-instructions.md', 'tasks.json', 'launch.json'],
  ...['justfile', '.justfile', 'taskfile.yml', 'taskfile.yaml', 'sitecustomize.py', 'usercustomize.py', '.pythonrc'],
  ...['claude.local.md', 'agents.override.md', 'agent.md', 'qwen.md', '.goosehints', 'opencode.json', 'opencode.jsonc'],
  ...['crush.json', '.aider.conf.yml', '.rules', '.pnp.cjs', '.pnp.loader.mjs', '.pnpmfile.mjs'],
  ...['.pylintrc', 'pylintrc', '.hie.yaml', '.gdbinit', '.lldbinit', '.vimrc', '.exrc', '.nvimrc', '.nvim.lua'],
  // Configuration in which a tool of the editor finds the name of a program, a plugin or a file to run.
  ...['pyproject.toml', 'setup.cfg', 'mypy.ini', '.mypy.ini', '.flake8', 'pytest.ini', '.pytest.ini', 'tox.ini'],
  ...['noxfile.py', 'pyvenv.cfg', 'gemfile', '.rspec', '.irbrc', 'vagrantfile'],
  ...['cargo.toml', 'rust-toolchain', 'rust-toolchain.toml', 'rust-project.json', 'build.zig', 'package.swift'],
  ...['mix.exs', '.formatter.exs', '.credo.exs', 'rebar.config', 'pom.xml', 'build.xml', 'build.sbt', '.factorypath'],
  ...['composer.json', 'phpstan.neon', 'phpunit.xml', 'psalm.xml', 'rector.php', 'nuget.config', 'global.json'],
  ...['deps.edn', 'project.clj', 'shadow-cljs.edn', 'bb.edn', 'analysis_options.yaml', '.rprofile', '.renviron'],
  ...[
    'deno.json',
    'deno.jsonc',
    'bunfig.toml',
    '.dir-locals.el',
    '.tool-versions',
    '.clangd',
    '.ghci',
    'cabal.project',
    'cabal.project.local',
    'rebar.config.script',
  ],
  ...['hie.yaml', 'cspell.json', '.cspell.json', 'cspell.yaml', 'cspell.yml', '.cspell.yaml', 'tslint.json', 'nx.json'],
  ...['omnisharp.json', 'directory.build.rsp', 'dotnet-tools.json', 'dprint.json', '.solargraph.yml', '.standard.yml'],
  ...['.ycm_extra_conf.py', '.ccls', '.vimspector.json', '.project', '.classpath', 'ansible.cfg', '.ansible-lint'],
  ...['stack.yaml', 'setup.hs', 'build.sc', 'dune-project', 'config.nims', 'lakefile.lean'],
  ...['dub.json', 'dub.sdl', 'build.bazel', 'module.bazel', 'workspace.bazel', 'sconstruct', 'xmake.lua'],
  ...['premake5.lua', 'tiltfile', 'earthfile', 'guardfile', 'steepfile', 'podfile', 'fastfile', 'dangerfile'],
  ...['brewfile', 'phpcs.xml', '.phpcs.xml', 'ecs.php', 'pipfile', 'pixi.toml', 'devbox.json', 'replit.nix', '.replit'],
  // Hooks and services that build.
  ...['.overcommit.yml', 'captainhook.json', 'grumphp.yml', '.pre-commit-hooks.yaml', '.pre-commit-config.yml'],
  ...['buildspec.yml', 'buildspec.yaml', 'cloudbuild.yaml', 'cloudbuild.yml', 'cloudbuild.json', '.build.yml'],
  ...['wercker.yml', '.codeship.yml', 'codeship-services.yml', 'codeship-steps.yml', 'bitrise.yml', 'codemagic.yaml'],
  ...[
    'netlify.toml',
    'vercel.json',
    '.buildkite.yml',
    '.gitpod.yml',
    '.gitpod.dockerfile',
    'action.yml',
    'action.yaml',
  ],
  ...['.goreleaser.yml', '.goreleaser.yaml'],
  // What a shell, a terminal or an editor reads when it starts.
  ...['.bash_aliases', '.zlogout', '.xprofile', '.xinitrc', '.xsession', '.tmux.conf', '.emacs', '.hgrc', 'hgrc'],
  ...['.claude.json', 'mcp_config.json', 'mcp-config.json', 'warp.md', 'crush.md', '.aiderrules'],
  ...['tasks.vs.json', 'launch.vs.json'],
  ...['flake.nix', 'shell.nix', 'default.nix', 'meson.build', 'wscript', 'jest.config.json', 'babel.config.json'],
]

const patterns = [
  /\.code-workspace$/,
  /^\.yarnrc/,
  /^\.clinerules/,
  /^\.windsurf/,
  /^\.env($|\.)/,
  /^\.devcontainer\.json$/,
  /\.gradle(?:\.kts)?$/,
  /^gradle-wrapper\./,
  /\.cmake$/,
  /^(?:azure|bitbucket)-pipelines.*\.ya?ml$/,
  /\.(?:instructions|prompt)\.md$/,
  /\.pth$/,
  // Programs that the tools of the editor run by themselves, such as for linting.
  /\.config\.[cm]?[jt]s$/,
  // `.eslintrc`, `.prettierrc.yml`, `.mocharc.json`: also as data they name what is loaded.
  /^\.[\w-]+rc(?:\.(?:json5?|jsonc|ya?ml|toml|[cm]?[jt]s))?$/,
  /^\.(?:rubocop|golangci|swiftlint|php-cs-fixer)[\w.-]*\.(?:ya?ml|toml|json|php|dist)$/,
  /^(?:phpstan|phpunit|psalm)\..*dist$/,
  /\.(?:cs|vb|fs|vcx|sql)?proj$/,
  /\.(?:props|targets|gemspec|sbt|cabal|bzl|nimble|runsettings|sublime-project)$/,
  // What they load or run is named in these as well.
  /^\.markdownlint(?:-cli2)?\.(?:[cm]js|jsonc?|ya?ml)$/,
  /^(?:vitest\.(?:workspace|projects)|(?:karma|wdio|protractor)\.conf)\.(?:[cm]?[jt]s|json)$/,
  /^(?:gulpfile|gruntfile|eslint-local-rules|ember-cli-build)(?:\.[\w-]+)*\.(?:[cm]?[jt]s|coffee)$/,
  /^\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$/,
  /^\.?mise(?:\.[\w-]+)*\.toml$/,
]

/** Where only some files of a folder count, by the end of the path. */
const paths = [
  // In `hooks/`, because there are hooks of other kinds.
  /(?:^|\/)hooks\/(?:(?:pre|post)-(?:commit|checkout|merge|push|rewrite|receive|update|auto-gc|rebase|applypatch|merge-commit|index-change)|(?:prepare-)?commit-msg|applypatch-msg|fsmonitor-watchman|update|reference-transaction|push-to-checkout|sendemail-validate|proc-receive)(?:\.(?:sh|bat|cmd|ps1|exe))?$/,
  /(?:^|\/)(?:\.config\/)?mise\/(?:config(?:\.[\w-]+)*\.toml|conf\.d\/[^/]+\.toml|tasks\/.+)$/,
  /(?:^|\/)\.config\/(?:fish|autostart|systemd|nvim|direnv|git|environment\.d)\/.+$/,
  /(?:^|\/)project\/(?:build\.properties|plugins\.sbt)$/,
]

/**
 * `path`: after links, relative to its folder or absolute. By pattern and not by existence, because a protected file may
 * be the one that is created. In any case and composition, because some file systems ignore both.
 */
export function isProtected(path: string): boolean {
  const whole = folded(path)
  const parts = whole.split('/')
  const name = parts.at(-1) ?? ''
  if (parts.slice(0, -1).some(part => folders.includes(part))) return true
  return (
    names.includes(name) ||
    folders.includes(name) ||
    patterns.some(pattern => pattern.test(name)) ||
    paths.some(pattern => pattern.test(whole)) ||
    parts.slice(0, -1).some(part => patterns.some(pattern => pattern.test(part)))
  )
}

/** Whether one of these folders has rules or keys in it, so that everything below is protected. Packages may hold a project. */
export function isInRuleFolder(path: string): boolean {
  return folded(path)
    .split('/')
    .some(part => ruleFolders.includes(part))
}

/** As the most forgiving file system compares names: without what nobody sees, the long s as an s. */
function folded(path: string): string {
  return path
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
}

/** The settings of the editor itself, where they are in no folder whose name begins with a dot. */
const editorSettings = /^\/(?:library\/application support|appdata\/roaming)\/[^/]+\/user\//i

/** Whether the path goes through a folder of the user's home whose name begins with a dot. `home` with `/`. */
export function isInHomeDotFolder(path: string, home: string): boolean {
  return path.startsWith(`${home}/.`) || (path.startsWith(`${home}/`) && editorSettings.test(path.slice(home.length)))
}

/** The remote addresses of schemas that the text has and the text before had not; the editor fetches them by itself. */
export function addedRemoteSchemas(before: string, after: string): readonly string[] {
  const known = remoteSchemas(before)
  return remoteSchemas(after).filter(url => !known.includes(url))
}

function remoteSchemas(text: string): string[] {
  const found = [
    ...text.matchAll(/["']?\$schema["']?\s*[:=]\s*["']?\s*((?:https?:)?(?:\\?\/){2}[^\s"',}]+)/gi),
    ...text.matchAll(/(?:yaml-language-server:\s*\$schema=|schemaLocation\s*=\s*["'][^"']*?)((?:https?:)?\/\/\S+)/gi),
    ...text.matchAll(/\\u0024schema["']?\s*:\s*["']([^"']+)/gi),
  ]
  return [...new Set(found.map(([, url = '']) => url.replaceAll('\\/', '/')))]
}
