// `usesNetwork`: whether a command names a program that sends something over the network.

const programs = [
  ...[
    'curl',
    'wget',
    'http',
    'https',
    'xh',
    'aria2c',
    'axel',
    'ftp',
    'sftp',
    'lftp',
    'tftp',
    'ssh',
    'scp',
    'rsync',
    'nc',
  ],
  ...[
    'ncat',
    'netcat',
    'socat',
    'telnet',
    'openssl',
    'dig',
    'host',
    'nslookup',
    'ping',
    'ping6',
    'traceroute',
    'whois',
  ],
  ...[
    'mail',
    'mailx',
    'sendmail',
    'mutt',
    'git',
    'gh',
    'glab',
    'hub',
    'svn',
    'hg',
    'npm',
    'npx',
    'pnpm',
    'pnpx',
    'yarn',
  ],
  ...['bun', 'bunx', 'deno', 'pip', 'pip3', 'pipx', 'uv', 'uvx', 'poetry', 'conda', 'gem', 'bundle', 'cargo', 'go'],
  ...['composer', 'mvn', 'gradle', 'dotnet', 'nuget', 'apt', 'apt-get', 'dnf', 'yum', 'apk', 'pacman', 'brew', 'snap'],
  ...['winget', 'choco', 'scoop', 'docker', 'podman', 'kubectl', 'helm', 'terraform', 'aws', 'az', 'gcloud', 'gsutil'],
  ...['heroku', 'vercel', 'netlify', 'wrangler', 'flyctl', 'rclone', 's3cmd', 'iwr', 'irm', 'invoke-webrequest'],
  ...['invoke-restmethod', 'start-bitstransfer', 'test-netconnection', 'resolve-dnsname'],
]

/**
 * Of a program that mostly works on this machine, what makes it use the network. Others of its commands are not marked,
 * because a mark on every `npm test` would not be read.
 */
const onlyWith: Readonly<Record<string, RegExp>> = {
  git: /^(?:push|pull|fetch|clone|ls-remote|remote|submodule|send-email|archive|lfs|svn)$/,
  npm: /^(?:i|install|ci|add|update|up|upgrade|publish|login|adduser|audit|view|info|exec|x|init|create|outdated|search)$/,
  pnpm: /^(?:i|install|add|update|up|publish|login|audit|view|info|exec|dlx|init|create|outdated|fetch)$/,
  yarn: /^(?:install|add|up|upgrade|publish|login|audit|info|dlx|init|create|outdated|npm)$/,
  bun: /^(?:i|install|add|update|publish|x|create|init)$/,
  deno: /^(?:run|install|add|publish|cache|serve|upgrade)$/,
  cargo: /^(?:install|add|update|publish|login|search|fetch|yank)$/,
  go: /^(?:get|install|mod)$/,
  uv: /^(?:pip|sync|add|lock|publish|tool|run)$/,
  poetry: /^(?:install|add|update|publish|lock)$/,
  bundle: /^(?:install|update|add|outdated)$/,
  dotnet: /^(?:restore|add|nuget|tool|new)$/,
  composer: /^(?:install|update|require|create-project)$/,
  openssl: /^s_client$/,
}

/** Names that reach the network without a program of their own. */
const anywhere = /\/dev\/(?:tcp|udp)\/|\b(?:https?|ftp|wss?|ssh|git):\/\//i

/** Words, wherever they are: what a shell makes of them is not worked out, because a guess could be wrong. */
export function usesNetwork(command: string): boolean {
  if (anywhere.test(command)) return true
  const words = command.split(/[\s;&|()<>`"'$={}\\]+/).filter(word => word !== '')
  return words.some((word, at) => {
    const name =
      word
        .split('/')
        .at(-1)
        ?.toLowerCase()
        .replace(/\.(?:exe|cmd|ps1)$/, '') ?? ''
    if (!programs.includes(name)) return false
    const needed = onlyWith[name]
    return !needed || words.slice(at + 1).some(one => needed.test(one)) || (name === 'yarn' && words.length === 1)
  })
}
