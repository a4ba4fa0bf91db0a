// Before each test in the extension host the chat is out of view: what it shows is not notified as well.
import { beforeEach } from 'mocha'
import { commands } from 'vscode'

beforeEach(() => commands.executeCommand('workbench.action.closeSidebar'))
