-- Tables of the parcel desk, and the questions asked most often.

CREATE TABLE customer (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE parcel (
  id INTEGER PRIMARY KEY,
  sender_id INTEGER NOT NULL REFERENCES customer (id),
  recipient_id INTEGER NOT NULL REFERENCES customer (id),
  weight_grams INTEGER NOT NULL CHECK (weight_grams BETWEEN 1 AND 31500),
  created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE scan (
  id INTEGER PRIMARY KEY,
  parcel_id INTEGER NOT NULL REFERENCES parcel (id),
  place TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('accepted', 'sorted', 'loaded', 'delivered')),
  created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX parcel_by_sender ON parcel (sender_id, created_at);
CREATE INDEX parcel_by_recipient ON parcel (recipient_id, created_at);
CREATE INDEX scan_by_parcel ON scan (parcel_id, created_at);

-- How many parcels did each customer send this month?
SELECT customer.name, COUNT(*) AS parcels
FROM parcel
JOIN customer ON customer.id = parcel.sender_id
WHERE parcel.created_at >= date('now', 'start of month')
GROUP BY customer.id
ORDER BY parcels DESC;

-- Which parcels have not been seen for three days?
SELECT parcel.id, MAX(scan.created_at) AS last_seen
FROM parcel
JOIN scan ON scan.parcel_id = parcel.id
GROUP BY parcel.id
HAVING last_seen < datetime('now', '-3 days')
ORDER BY last_seen;
