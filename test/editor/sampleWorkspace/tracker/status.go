// Package tracker answers where a parcel is.
package tracker

import (
	"errors"
	"fmt"
	"time"
)

// ErrUnknown means that no parcel has this number.
var ErrUnknown = errors.New("no parcel has this number")

// Scan is one sighting of a parcel.
type Scan struct {
	Parcel string
	Place  string
	At     time.Time
	Kind   string
}

// Tracker remembers every scan, the oldest first.
type Tracker struct {
	scans map[string][]Scan
}

// Add remembers a scan.
func (t *Tracker) Add(scan Scan) {
	if t.scans == nil {
		t.scans = make(map[string][]Scan)
	}
	t.scans[scan.Parcel] = append(t.scans[scan.Parcel], scan)
}

// Last returns the newest scan of a parcel.
func (t *Tracker) Last(parcel string) (Scan, error) {
	scans := t.scans[parcel]
	if len(scans) == 0 {
		return Scan{}, fmt.Errorf("parcel %s: %w", parcel, ErrUnknown)
	}
	return scans[len(scans)-1], nil
}

// Status says in one sentence where a parcel is.
func (t *Tracker) Status(parcel string) (string, error) {
	last, err := t.Last(parcel)
	if err != nil {
		return "", err
	}
	switch last.Kind {
	case "accepted":
		return fmt.Sprintf("Accepted at %s.", last.Place), nil
	case "sorted":
		return fmt.Sprintf("Sorted in %s.", last.Place), nil
	case "loaded":
		return fmt.Sprintf("On its way from %s.", last.Place), nil
	case "delivered":
		return fmt.Sprintf("Delivered in %s.", last.Place), nil
	default:
		return fmt.Sprintf("Seen in %s.", last.Place), nil
	}
}
