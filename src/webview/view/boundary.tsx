// `Boundary`: an error boundary that shows a fallback in place of the part that failed.
import { Component, type ComponentChildren } from 'preact'
import { faultText } from '../../base/fault.ts'

interface Props {
  /** The children are rendered again only if this is another object; without it, whenever the parent is. */
  subject?: object
  fallback: ComponentChildren
  onFault: (text: string) => void
  children: ComponentChildren
}

interface State {
  /** What could not be rendered; the next one is tried again. */
  failed?: unknown
}

export class Boundary extends Component<Props, State> {
  override shouldComponentUpdate(next: Props, state: State): boolean {
    return subjectOf(next) !== subjectOf(this.props) || state.failed !== this.state.failed
  }

  override componentDidCatch(fault: unknown): void {
    this.props.onFault(`A part of the page failed: ${faultText(fault)}`)
    this.setState({ failed: subjectOf(this.props) })
  }

  override render() {
    const { failed } = this.state
    return failed !== undefined && failed === subjectOf(this.props) ? this.props.fallback : this.props.children
  }
}

const subjectOf = ({ subject, children }: Props): unknown => subject ?? children
