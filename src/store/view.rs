//! The view: everything by key in sled, made from the journal and able to be made again.
//!
//! Sled 0.34 may lose its newest writes after a power failure, return errors, or panic on damaged files. So every
//! value carries a checksum of key and value, the view as a whole carries the sum of these ([`Meta::digest`]), panics
//! are caught, and the journal decides.

use std::fmt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::damage::{Damage, caught};
use super::history::{Chain, FolderId, Point, mixed};
use super::keys;

/// The layout of the view this program writes; another one is made anew from the journal.
pub(super) const LAYOUT: u64 = 2;
/// How much of the files sled keeps in memory, in bytes.
const CACHE: u64 = 64 << 20;
/// How long a view closed in this process may take to let go of its file.
const LINGERING: Duration = Duration::from_secs(10);

/// What the view says of itself, written in one batch with every change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meta {
    /// Whether everything is in it; not while it is being restored from a snapshot.
    pub(super) whole: bool,
    /// The number of the last journal record in it.
    pub(super) applied: u64,
    /// The digest up to that record.
    pub(super) chain: Option<Chain>,
    /// The data folder it belongs to.
    pub(super) folder: FolderId,
    /// The sum over all records, see [`weight`].
    pub(super) digest: u64,
    /// How many records it has.
    pub(super) records: u64,
    /// How many tables.
    pub(super) tables: u64,
    /// How many causes.
    pub(super) causes: u64,
    /// The highest number of a person.
    pub(super) last_person: u64,
}

impl Meta {
    /// That of an empty view which is not whole yet.
    pub(super) fn unfinished(folder: FolderId) -> Self {
        Self {
            whole: false,
            applied: 0,
            chain: None,
            folder,
            digest: 0,
            records: 0,
            tables: 0,
            causes: 0,
            last_person: 0,
        }
    }

    /// Up to where the view has everything.
    pub(super) fn point(&self) -> Point {
        Point {
            n: self.applied,
            chain: self.chain,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let Self {
            whole,
            applied,
            chain,
            folder: FolderId(folder),
            digest,
            records,
            tables,
            causes,
            last_person,
        } = *self;
        let fields = [
            LAYOUT,
            u64::from(whole),
            applied,
            u64::from(chain.is_some()),
            chain.map_or(0, |chain| chain.0),
            (folder >> 64) as u64,
            folder as u64,
            digest,
            records,
            tables,
            causes,
            last_person,
        ];
        fields
            .iter()
            .flat_map(|field| field.to_le_bytes())
            .collect()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Damage> {
        let damaged = || Damage::Record("of the view itself".to_owned());
        let (fields, rest) = bytes.as_chunks::<8>();
        let fields: Vec<u64> = fields
            .iter()
            .map(|field| u64::from_le_bytes(*field))
            .collect();
        let &layout = fields.first().ok_or_else(damaged)?;
        if layout != LAYOUT {
            return Err(Damage::Layout(layout));
        }
        match (fields.as_slice(), rest) {
            (&[_, 0, ..], []) => Err(Damage::Unfinished),
            (
                &[
                    _,
                    _,
                    applied,
                    has_chain,
                    chain,
                    high,
                    low,
                    digest,
                    records,
                    tables,
                    causes,
                    last_person,
                ],
                [],
            ) => Ok(Self {
                whole: true,
                applied,
                chain: (has_chain == 1).then_some(Chain(chain)),
                folder: FolderId(u128::from(high) << 64 | u128::from(low)),
                digest,
                records,
                tables,
                causes,
                last_person,
            }),
            _ => Err(damaged()),
        }
    }
}

/// A value as it is stored: the CRC-32 of key and value, then the value.
pub(super) fn sealed(key: &[u8], value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(4 + value.len());
    out.extend_from_slice(&crc(key, value).to_le_bytes());
    out.extend_from_slice(value);
    out
}

fn crc(key: &[u8], value: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(key);
    sum.update(value);
    sum.finalize()
}

/// The value under its seal.
fn opened<'v>(key: &[u8], stored: &'v [u8]) -> Result<&'v [u8], Damage> {
    let damaged = || Damage::Record(key.escape_ascii().to_string());
    let (seal, value) = stored.split_first_chunk::<4>().ok_or_else(damaged)?;
    if u32::from_le_bytes(*seal) == crc(key, value) {
        Ok(value)
    } else {
        Err(damaged())
    }
}

/// What a stored record adds to the digest: its seal, which covers key and value, well mixed.
pub(super) fn weight(stored: &[u8]) -> u64 {
    let seal = stored
        .first_chunk::<4>()
        .map_or(0, |seal| u32::from_le_bytes(*seal));
    mixed(u64::from(seal))
}

/// The view on the disk.
pub(super) struct View {
    db: sled::Db,
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("View")
    }
}

impl View {
    /// Opens what is there.
    pub(super) fn open(path: &Path) -> Result<Self, Damage> {
        if !path.is_dir() {
            return Err(Damage::Missing);
        }
        Self::make(path)
    }

    /// Opens what is there, or an empty view, which has no [`Meta`] until something is applied.
    pub(super) fn make(path: &Path) -> Result<Self, Damage> {
        let open = || sled::Config::new().path(path).cache_capacity(CACHE).open();
        caught(|| {
            let begun = Instant::now();
            loop {
                match open() {
                    Ok(db) => return Ok(Self { db }),
                    // This may be what is left of a view closed a moment ago in this process: sled's threads keep its
                    // file until they have finished. Else another process has it, whatever our own locks say.
                    Err(error) if error.to_string().contains("could not acquire lock") => {
                        if begun.elapsed() >= LINGERING {
                            return Err(Damage::InUse);
                        }
                        thread::sleep(Duration::from_millis(2));
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        })
    }

    pub(super) fn meta(&self) -> Result<Meta, Damage> {
        Meta::from_bytes(&self.get(keys::META)?.ok_or(Damage::Empty)?)
    }

    /// The value under a key.
    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Damage> {
        match self.db.get(key)? {
            Some(stored) => Ok(Some(opened(key, &stored)?.to_vec())),
            None => Ok(None),
        }
    }

    /// What is stored under a key, with its seal and unchecked.
    pub(super) fn stored(&self, key: &[u8]) -> Result<Option<sled::IVec>, Damage> {
        Ok(self.db.get(key)?)
    }

    /// Every record whose key begins so, in order.
    pub(super) fn under(
        &self,
        prefix: &[u8],
    ) -> impl Iterator<Item = Result<(Vec<u8>, Vec<u8>), Damage>> + use<> {
        self.db.scan_prefix(prefix).map(unsealed)
    }

    /// Every record from one key up to before another, in order.
    pub(super) fn between(
        &self,
        from: &[u8],
        to: &[u8],
    ) -> impl Iterator<Item = Result<(Vec<u8>, Vec<u8>), Damage>> + use<> {
        let (from, to) = (from.to_vec(), to.to_vec());
        self.db.range(from..to).map(unsealed)
    }

    /// Makes changes together with the meta that fits them, all or nothing for every reader.
    pub(super) fn apply(&self, mut changes: sled::Batch, meta: &Meta) -> Result<(), Damage> {
        changes.insert(keys::META, sealed(keys::META, &meta.bytes()));
        caught(|| Ok(self.db.apply_batch(changes)?))
    }

    /// Reads every record and compares the whole with what the meta says.
    pub(super) fn check(&self) -> Result<Meta, Damage> {
        caught(|| {
            let meta = self.meta()?;
            let (mut digest, mut found) = (0_u64, 0);
            for entry in self.db.iter() {
                let (key, stored): (sled::IVec, sled::IVec) = entry?;
                opened(&key, &stored)?;
                if key != keys::META {
                    digest = digest.wrapping_add(weight(&stored));
                    found += 1;
                }
            }
            if (digest, found) == (meta.digest, meta.records) {
                Ok(meta)
            } else {
                Err(Damage::Incomplete {
                    expected: meta.records,
                    found,
                })
            }
        })
    }

    /// Hands everything to the system, so that the next start has little to catch up with.
    pub(super) fn flush(&self) -> Result<(), Damage> {
        caught(|| {
            self.db.flush()?;
            Ok(())
        })
    }
}

fn unsealed(entry: sled::Result<(sled::IVec, sled::IVec)>) -> Result<(Vec<u8>, Vec<u8>), Damage> {
    let (key, stored) = entry?;
    let value = opened(&key, &stored)?.to_vec();
    Ok((key.to_vec(), value))
}
